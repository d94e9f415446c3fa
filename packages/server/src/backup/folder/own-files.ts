import { mkdir, readFile, rm } from 'node:fs/promises'
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

/** What the backups of a data folder remember from one start to the next. Each is a file of its own. */
export interface BackupState {
  /** The backup folder, since when it is used, and whether it is a mount. */
  readonly folder?: { readonly path: string; readonly since: string; readonly is_mount: boolean } | undefined
  readonly drill?: Drill | undefined
  /** When the log that waited for the folder was given up, and why. */
  readonly broken?: { readonly at: string; readonly reason: string } | undefined
  readonly line?: Line | undefined
}

const names = ['folder', 'drill', 'broken', 'line'] as const

export async function readState(data_dir: string): Promise<BackupState> {
  const found = await Promise.all(names.map(name => readNote(data_dir, name)))
  return Object.fromEntries(names.map((name, index) => [name, found[index]]))
}

export async function readNote<N extends keyof BackupState>(
  data_dir: string,
  name: N,
): Promise<BackupState[N]> {
  return readJson(pathOf(data_dir, name))
}

/** Notes what is given. What is undefined is forgotten. */
export async function changeState(data_dir: string, change: BackupState): Promise<void> {
  const folder = join(data_dir, 'backup')
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (made) await giveToOwner(folder)
  for (const [name, value] of Object.entries(change))
    if (value === undefined) await rm(pathOf(data_dir, name), { force: true })
    else
      await writeDurably(pathOf(data_dir, name), sink =>
        sink.write(Buffer.from(`${JSON.stringify(value)}\n`)),
      )
}

function pathOf(data_dir: string, name: string): string {
  return join(data_dir, 'backup', `${name}.json`)
}

async function readJson<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return undefined
    throw error
  }
}
