import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDataDir } from '../../config/data-dir.ts'
import { type ConnectionOptions, connect } from '../../database/db.ts'
import { startEmbedded } from '../../database/embedded/embedded.ts'
import { lockDataDir } from '../../database/embedded/lock.ts'
import { Session } from '../../database/session.ts'
import { beginRestore, findOpenRestore } from '../../recovery/restores.ts'
import { applyPending } from '../../store/migration/migrate.ts'
import { BackupError } from '../archive/backup-error.ts'
import { openArchive } from '../archive/read-archive.ts'
import { giveToOwner } from '../folder/durable-file.ts'
import { keepPublicKey } from '../folder/public-key.ts'
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
  if (url !== undefined) {
    await restoreInto({ url }, into, options)
    return keepPublicKey(into, options.keys.recovery_key)
  }
  using _lock = lockDataDir(into)
  requireEmpty(into)
  await requireSpace(into, point)
  await using draft = await makeDraft(into, 'restore-', options.run_as)
  {
    await using embedded = await startEmbedded({ data_dir: draft.path, run_as: options.run_as, log: quiet })
    await restoreInto(embedded.connection, draft.path, options)
  }
  await keepPublicKey(into, options.keys.recovery_key)
  await moveIn(draft.path, into)
}

/** Loads a backup, brings it to this version, and writes the key of its service into a folder. */
async function restoreInto(
  connection: ConnectionOptions,
  folder: string,
  options: LogicalOptions,
): Promise<void> {
  {
    using session = await Session.open(connection)
    if (!(await isLoaded(session, options.point.backup.id))) await load(session, folder, options)
  }
  await using db = connect(connection, 2)
  await handOver(db, restoredOf(options), folder)
  await db.query('ANALYZE', [], { prepare: false })
}

/** Whether an earlier attempt to restore this backup was interrupted after it had loaded the rows. */
async function isLoaded(session: Session, backup_id: string): Promise<boolean> {
  const [row] = await session.query<{ is_there: boolean }>(
    `SELECT to_regclass('restores') IS NOT NULL AS is_there`,
  )
  const open = row?.is_there ? await findOpenRestore(session) : undefined
  return open?.backup_id === backup_id && open.marked_at === null
}

/** From the moment that the rows are there, no service starts on them before they are handed over. */
async function load(session: Session, into: string, options: LogicalOptions): Promise<void> {
  const { folder, point, keys } = options
  const { target, backupId: backup_id, by: restored_by } = restoredOf(options)
  const now = new Date().toISOString()
  await using archive = await openArchive(join(folder, point.backup.archive.name), keys)
  await loadRows(session, archive.read(), now, async service_keys => {
    await applyPending(session, now)
    await beginRestore(session, {
      target: target.toISOString(),
      backup_id,
      restored_by,
      now,
      ledger: undefined,
    })
    await writeKey(into, service_keys)
  })
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
    await using archive = await openArchive(
      join(options.folder, options.point.backup.archive.name),
      options.keys,
    )
    using session = await Session.open(embedded.connection)
    await loadRows(session, archive.read(), new Date().toISOString())
    return embedded
  } catch (error) {
    await embedded.stop()
    throw error
  }
}
