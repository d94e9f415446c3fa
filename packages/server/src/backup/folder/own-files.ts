import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../../flow/failures.ts'
import { giveToOwner, writeDurably } from './durable-file.ts'

/** What the archiver of a data folder is at. It lies beside the database, so that no copy of that continues it. */
export interface Line {
  readonly id: string
  readonly system_identifier: string
  readonly timeline: number
  readonly began_at: string
  /** Everything before it is archived. */
  readonly next: string
  /** Everything committed before it is archived. */
  readonly until: string
}

export interface Drill {
  readonly id: string
  readonly at: string
  /** The restored time; null if it failed. */
  readonly reached: string | null
  readonly error: string | null
}

/** What the backups of a data folder remember from one start to the next. */
export interface BackupState {
  /** The backup folder, since when it is used, and whether it is a mount. */
  readonly folder?: { readonly path: string; readonly since: string; readonly is_mount: boolean }
  readonly drill?: Drill
  /** When the log that waited for the folder was given up, and why. */
  readonly broken?: { readonly at: string; readonly reason: string } | undefined
}

export const readLine = (data_dir: string) => readJson<Line>(join(data_dir, 'backup', 'line.json'))
export const writeLine = (data_dir: string, line: Line) => writeJson(data_dir, 'line.json', line)

export async function readState(data_dir: string): Promise<BackupState> {
  return (await readJson<BackupState>(join(data_dir, 'backup', 'state.json'))) ?? {}
}

export async function changeState(data_dir: string, change: BackupState): Promise<void> {
  await writeJson(data_dir, 'state.json', { ...(await readState(data_dir)), ...change })
}

async function readJson<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return undefined
    throw error
  }
}

async function writeJson(data_dir: string, name: string, value: object): Promise<void> {
  const folder = join(data_dir, 'backup')
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (made) await giveToOwner(folder)
  await writeDurably(join(folder, name), sink => sink.write(Buffer.from(`${JSON.stringify(value)}\n`)))
}
