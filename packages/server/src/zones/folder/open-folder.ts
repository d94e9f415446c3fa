import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../../config/config-error.ts'
import { messageOf } from '../../flow/failures.ts'
import type { ZoneSource } from '../course.ts'
import { openCompiledFolder } from './compiled-folder.ts'
import { openSourceFolder } from './source-folder.ts'

/** Opens the folder that GATEHOUSE_TZDATA names, and reads all of it. Throws one sentence if it is not whole. */
export function openZoneFolder(folder: string): ZoneSource {
  try {
    if (!statSync(folder).isDirectory()) throw new Error('it is no folder')
    const release = () => releaseOf(folder)
    const source = openCompiledFolder(folder, release) ?? openSourceFolder(folder, release)
    if (!source) throw new Error('it has neither compiled zone files nor IANA source files')
    return source
  } catch (cause) {
    throw new ConfigError(
      `GATEHOUSE_TZDATA is ${JSON.stringify(folder)}, which cannot be used: ${messageOf(cause)}.`,
      { cause },
    )
  }
}

/** The files that tell the release, the most exact first. */
const tellers = [
  { name: '+VERSION', pattern: /^(\S+)/ },
  { name: 'tzdata.zi', pattern: /^# version (\S+)/ },
  { name: 'version', pattern: /^(\S+)/ },
]

function releaseOf(folder: string): string {
  for (const { name, pattern } of tellers) {
    const release = pattern.exec(firstLine(join(folder, name)))?.[1]
    if (release && /^[\w.+-]{1,32}$/.test(release)) return release
  }
  throw new Error('none of the files +VERSION, tzdata.zi and version tells the release')
}

function firstLine(path: string): string {
  try {
    return readFileSync(path, 'utf8').split('\n', 1)[0] ?? ''
  } catch {
    return ''
  }
}
