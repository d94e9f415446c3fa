import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDataDir } from '../../config/data-dir.ts'
import { type ConnectionOptions, connect } from '../../database/db.ts'
import { startEmbedded } from '../../database/embedded/embedded.ts'
import { lockDataDir } from '../../database/embedded/lock.ts'
import { Session } from '../../database/session.ts'
import { BackupError } from '../archive/backup-error.ts'
import { openArchive } from '../archive/read-archive.ts'
import { giveToOwner } from '../folder/durable-file.ts'
import { loadRows } from '../logical/load.ts'
import { type Draft, makeDraft, requireSpace } from './draft.ts'
import { handOver } from './hand-over.ts'
import { moveIn, type RestoreOptions, requireEmpty, restoredOf } from './restore-physical.ts'

type LogicalOptions = RestoreOptions & {
  /** An empty database. Otherwise an embedded one is created in the data folder. */
  readonly url?: string | undefined
}

const quiet = { info: () => {}, warn: () => {}, error: () => {} }

/** Restores the rows of a logical backup into an empty database, or into a new one in the data folder. */
export async function restoreLogically(options: LogicalOptions): Promise<void> {
  const { into, url, point } = options
  makeDataDir(into)
  if (url !== undefined) return restoreInto({ url }, into, options)
  using _lock = lockDataDir(into)
  requireEmpty(into)
  await requireSpace(into, point)
  await using draft = await makeDraft(into, 'restore-', options.run_as)
  {
    await using embedded = await startEmbedded({ data_dir: draft.path, run_as: options.run_as, log: quiet })
    await restoreInto(embedded.connection, draft.path, options)
  }
  await moveIn(draft.path, into)
}

/** Loads a backup, brings it to this version, and writes the key of its service into a folder. */
async function restoreInto(
  connection: ConnectionOptions,
  folder: string,
  options: LogicalOptions,
): Promise<void> {
  const now = new Date().toISOString()
  await writeKey(folder, await load(connection, options, now))
  await using db = connect(connection, 2)
  await handOver(db, restoredOf(options), folder)
  await db.query('ANALYZE', [], { prepare: false })
}

async function load(
  connection: ConnectionOptions,
  { folder, point, keys }: Pick<RestoreOptions, 'folder' | 'point' | 'keys'>,
  now: string,
): Promise<string> {
  await using archive = await openArchive(join(folder, point.backup.archive.name), keys)
  using session = await Session.open(connection)
  return await loadRows(session, archive.read(), now)
}

async function writeKey(folder: string, keys: string): Promise<void> {
  const path = join(folder, 'secret-key')
  if (existsSync(path)) {
    if ((await readFile(path, 'utf8')).trim() === keys.trim()) return
    throw new BackupError(`${path} is not the key of this backup: move it away first.`)
  }
  await writeFile(path, keys, { mode: 0o600, flush: true })
  await giveToOwner(path)
}

/** Loads a backup into a new embedded database in a draft, for a trial. */
export async function loadInto(
  draft: Draft,
  options: Pick<RestoreOptions, 'folder' | 'point' | 'keys' | 'run_as'>,
): Promise<AsyncDisposable & { readonly connection: ConnectionOptions }> {
  const embedded = await startEmbedded({ data_dir: draft.path, run_as: options.run_as, log: quiet })
  try {
    await load(embedded.connection, options, new Date().toISOString())
    return embedded
  } catch (error) {
    await embedded.stop()
    throw error
  }
}
