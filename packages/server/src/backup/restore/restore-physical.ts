import { existsSync } from 'node:fs'
import { link, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDataDir } from '../../config/data-dir.ts'
import { connect } from '../../database/db.ts'
import { lockDataDir } from '../../database/embedded/lock.ts'
import { present } from '../../flow/present.ts'
import { BackupError } from '../archive/backup-error.ts'
import type { Keys } from '../archive/wrapped-keys.ts'
import { syncPath } from '../folder/durable-file.ts'
import { keepPublicKey } from '../folder/public-key.ts'
import type { Point } from './choose-point.ts'
import { type Draft, makeDraft, requireSpace } from './draft.ts'
import { handOver, type Restored } from './hand-over.ts'
import { type Recovered, recover } from './recover.ts'
import { type UnpackOptions, unpack, unpackPieces } from './unpack.ts'

export interface RestoreOptions extends UnpackOptions {
  readonly folder: string
  readonly point: Point
  readonly keys: Keys
  /** The data folder that becomes the restored one. */
  readonly into: string
  readonly run_as?: string | undefined
  readonly by: string
  readonly ledger: string | undefined
}

/**
 * Restores into a data folder without a database. All is put together in a draft beside it; the rename at the
 * end is the moment from which there is a restored database. Killed before, the folder is as it was.
 */
export async function restorePhysically(options: RestoreOptions): Promise<void> {
  const { into, point } = options
  makeDataDir(into)
  using _lock = lockDataDir(into)
  requireEmpty(into)
  await requireSpace(into, point)
  await using draft = await makeDraft(into, 'restore-', options.run_as)
  {
    await using recovered = await recoverInto(draft, options)
    await using db = connect(recovered.connection, 2)
    await handOver(db, restoredOf(options), draft.path)
  }
  await keepPublicKey(into, options.keys.recovery_key)
  await moveIn(draft.path, into)
}

/** Throws if a database is there: nothing is ever restored over another. */
export function requireEmpty(into: string): void {
  if (existsSync(join(into, 'database')))
    throw new BackupError(
      `There is a database in ${into}: move ${join(into, 'database')} away first, or restore into another folder with --into.`,
    )
}

export function restoredOf({ point, by, ledger }: RestoreOptions): Restored {
  return { target: new Date(point.target), backupId: point.backup.id, by, ledger }
}

/** Unpacks a backup and its log into a draft, and recovers it. */
export async function recoverInto(
  draft: Draft,
  { folder, point, keys, ...options }: Pick<RestoreOptions, 'folder' | 'point' | 'keys'> & UnpackOptions,
): Promise<Recovered> {
  const { backup, pieces } = point
  await unpack(join(folder, backup.archive.name), keys, draft.path, draft.account, options)
  const { timeline } = present(backup.wal, 'the place of a physical backup')
  const { account, path } = draft
  await unpackPieces(folder, pieces, keys, { database_dir: join(path, 'database'), timeline, account })
  return recover(await draft.prepare(), point, options.signal)
}

/** The key goes first: a database without its key could not be used. */
export async function moveIn(draft: string, into: string): Promise<void> {
  await placeKey(join(draft, 'secret-key'), join(into, 'secret-key'))
  await rename(join(draft, 'database'), join(into, 'database'))
  await syncPath(into)
}

/** Keeps a key that is there if it is the same, as after a restore that was killed. */
async function placeKey(from: string, to: string): Promise<void> {
  if (!existsSync(to)) {
    await syncPath(from)
    return link(from, to)
  }
  if ((await readFile(from, 'utf8')).trim() !== (await readFile(to, 'utf8')).trim())
    throw new BackupError(`${to} is not the key of this backup: move it away first.`)
}
