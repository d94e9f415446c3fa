import { chmod, chown, mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDataDir } from '../../config/data-dir.ts'
import { type Account, chooseAccount } from '../../database/embedded/account.ts'
import { assertReachable, type ClusterPaths, preparePlace } from '../../database/embedded/place.ts'
import { BackupError } from '../archive/backup-error.ts'
import { segmentSize } from '../folder/lsn.ts'
import type { Point } from './choose-point.ts'

/** A folder in which a database is put together. It is removed unless its content was moved away. */
export interface Draft extends AsyncDisposable {
  readonly path: string
  readonly account: Account | undefined
  /** Chooses the paths for PostgreSQL, once the database files are there. */
  prepare(): Promise<ClusterPaths>
}

/** Creates a draft inside of `folder`, and removes those that killed processes have left. */
export async function makeDraft(folder: string, prefix: string, run_as?: string): Promise<Draft> {
  makeDataDir(folder)
  for (const name of await readdir(folder)) if (name.startsWith(prefix)) await removeWhole(join(folder, name))
  const account = await chooseAccount(join(folder, 'database'), run_as)
  const path = await mkdtemp(join(folder, prefix))
  await chmod(path, 0o700)
  if (account) {
    await chown(path, account.uid, account.gid)
    await assertReachable(path, account).catch(error => removeWhole(path).then(() => Promise.reject(error)))
  }
  let socket: string | undefined
  return {
    path,
    account,
    async prepare() {
      const place = await preparePlace(path, run_as)
      socket = place.socket_dir
      return place
    },
    async [Symbol.asyncDispose]() {
      await removeWhole(path)
      if (socket) await rm(socket, { recursive: true, force: true })
    },
  }
}

/** The last processes of a PostgreSQL that was killed may still write for a moment. */
async function removeWhole(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
}

const spare = 512 * 1024 * 1024

/** Returns the bytes that a restore takes. */
export function neededBytes({ backup, pieces }: Point): number {
  const files = new Set(pieces.map(({ start }) => start / segmentSize))
  return backup.archive.content_bytes + files.size * Number(segmentSize) + spare
}

/** Throws if the disk is too small for a restore. */
export async function requireSpace(folder: string, point: Point): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const needed = neededBytes(point)
  if (bavail * bsize >= needed) return
  throw new BackupError(
    `The disk of ${folder} is too small: the restore takes ${megabytes(needed)} MB, and ${megabytes(bavail * bsize)} MB are free.`,
  )
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1024 ** 2)
}
