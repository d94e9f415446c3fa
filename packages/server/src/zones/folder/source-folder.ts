import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../../flow/failures.ts'
import { type Course, cutCourse, type ZoneSource } from '../course.ts'
import { compileZone } from './compile-zone.ts'
import { readLines, type ZoneText } from './source-lines.ts'
import { spelling } from './spelling.ts'
import { yearOf } from './year-days.ts'

/** All of it in one file, as `make tzdata.zi` and distributions write it. */
const oneFile = 'tzdata.zi'
const files = [
  'africa',
  'antarctica',
  'asia',
  'australasia',
  'etcetera',
  'europe',
  'northamerica',
  'southamerica',
]
/** Old names. Without it they are unknown. */
const oldNames = 'backward'

/** Reads a folder of the IANA source files; undefined if it has none. */
export function openSourceFolder(folder: string, release: () => string): ZoneSource | undefined {
  const has = (name: string) => existsSync(join(folder, name))
  if (has(oneFile)) return sourceOf(folder, [oneFile], release())
  if (!files.some(has)) return undefined
  const missing = files.find(name => !has(name))
  if (missing) throw new Error(`the file ${missing} is missing`)
  return sourceOf(folder, has(oldNames) ? [...files, oldNames] : files, release())
}

function sourceOf(folder: string, parts: readonly string[], release: string): ZoneSource {
  const text: ZoneText = { rules: new Map(), zones: new Map(), links: new Map() }
  for (const part of parts) readFile(folder, part, text)
  requireWhole(text)
  const names = [...text.zones.keys(), ...text.links.keys()].filter(name => name !== 'Factory').sort()
  return {
    release,
    names,
    find: spelling(names),
    course: (name, from, until) => courseOf(text, name, from, until),
  }
}

function readFile(folder: string, name: string, into: ZoneText): void {
  try {
    readLines(readFileSync(join(folder, name), 'utf8'), into)
  } catch (cause) {
    throw new Error(`${name}: ${messageOf(cause)}`, { cause })
  }
}

/** Throws for a name that nothing defines: a zone without its rules would be an hour wrong in summer. */
function requireWhole({ rules, zones, links }: ZoneText): void {
  if (zones.size === 0) throw new Error('there are no zones in it')
  for (const [zone, eras] of zones)
    for (const era of eras)
      if (era.rules !== undefined && !rules.has(era.rules))
        throw new Error(`${zone} names the rules ${era.rules}, which are missing`)
  for (const name of links.keys())
    if (!zones.has(follow(links, name))) throw new Error(`${name} is another name of a zone that is missing`)
}

/** A link may lead to a link. Returns the end, or the name itself if it leads round in a circle. */
function follow(links: ReadonlyMap<string, string>, name: string): string {
  let at = name
  for (let step = 0; step < 10; step++) at = links.get(at) ?? at
  return at
}

function courseOf({ rules, zones, links }: ZoneText, name: string, from: number, until: number): Course {
  const eras = zones.get(zones.has(name) ? name : follow(links, name))
  if (!eras) throw new Error(`there is no zone ${name}`)
  return cutCourse(
    compileZone(eras, rule => rules.get(rule) ?? [], yearOf(until)),
    from,
    until,
  )
}
