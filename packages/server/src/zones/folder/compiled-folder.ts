import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../../flow/failures.ts'
import type { ZoneSource } from '../course.ts'
import { spelling } from './spelling.ts'
import { type CompiledZone, compiledCourse, isTzif, readTzif } from './tzif.ts'

/** Copies of all zones with other leap seconds, and names that are no zones. */
const leftOut = new Set(['posix', 'right', 'Factory', 'localtime', 'posixrules'])

/** Reads a folder of compiled zone files such as /usr/share/zoneinfo; undefined if it has none. */
export function openCompiledFolder(folder: string, release: () => string): ZoneSource | undefined {
  const zones = new Map<string, CompiledZone>()
  let odd: string | undefined
  for (const path of filesIn(folder)) {
    const bytes = readFileSync(join(folder, path))
    if (isTzif(bytes)) zones.set(path, readOne(path, bytes))
    else if (isInside(path)) odd ??= path
  }
  if (zones.size === 0) return undefined
  if (odd) throw new Error(`${odd} is no compiled zone file`)
  return {
    release: release(),
    names: [...zones.keys()],
    find: spelling(zones.keys()),
    course: (name, from, until) => compiledCourse(zoneOf(zones, name), from, until),
  }
}

/** Files at the top, such as zone.tab, may be anything. Those in the folder of a continent are zones. */
function isInside(path: string): boolean {
  return /^[A-Z][A-Za-z_]+\//.test(path)
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => !entry.isDirectory())
    .map(entry => join(entry.parentPath, entry.name).slice(join(folder, '/').length))
    .filter(path => !leftOut.has(path.split('/')[0] ?? ''))
    .sort()
}

function readOne(path: string, bytes: Buffer): CompiledZone {
  try {
    return readTzif(bytes)
  } catch (cause) {
    throw new Error(`${path} ${messageOf(cause)}`, { cause })
  }
}

function zoneOf(zones: ReadonlyMap<string, CompiledZone>, name: string): CompiledZone {
  const zone = zones.get(name)
  if (!zone) throw new Error(`there is no zone ${name}`)
  return zone
}
