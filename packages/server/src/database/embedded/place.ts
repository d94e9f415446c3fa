import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { chown, lstat, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../../config/start-error.ts'
import { type Account, chooseAccount, runAs } from './account.ts'
import { findBinaries } from './binaries.ts'

/** The paths and the account of an embedded PostgreSQL. */
export type ClusterPaths = {
  data_dir: string
  database_dir: string
  socket_dir: string
  bin_dir: string
  account: Account | undefined
}

export const socket_port = 5432
// The kernel limits the whole path to 107 bytes on Linux and 103 on macOS.
const socket_path_limit = 103

/**
 * Determines the account, unless it is given, and the binaries, and creates the socket folder, for an existing
 * data folder.
 */
export async function preparePlace(
  given_dir: string,
  run_as?: string,
  given?: Account,
): Promise<ClusterPaths> {
  const data_dir = realpathSync(given_dir)
  const database_dir = join(data_dir, 'database')
  const socket_dir = findSocketDir(data_dir)
  const account = given ?? (await chooseAccount(database_dir, run_as))
  if (account) await assertReachable(data_dir, account)
  await makePrivateDir(socket_dir, account)
  return { data_dir, database_dir, socket_dir, account, bin_dir: await findBinaries(account) }
}

/** Returns the same path in every process, so that commands find the running database of a data folder. */
export function findSocketDir(given_dir: string): string {
  const data_dir = existsSync(given_dir) ? realpathSync(given_dir) : given_dir
  const inside = join(data_dir, 'socket')
  const length = Buffer.byteLength(join(inside, `.s.PGSQL.${socket_port}`))
  if (length <= socket_path_limit) return inside
  return `/tmp/gatehouse-${createHash('sha256').update(data_dir).digest('hex').slice(0, 16)}`
}

/**
 * Creates a folder that only the account can enter. Throws if the path exists with another owner or mode. One of
 * this process's user is given to the account: a start may have been killed before it was.
 */
async function makePrivateDir(path: string, account: Account | undefined): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch(() => undefined)
  const own = await lstat(path).catch(() => undefined)
  if (account && own?.isDirectory() && own.uid === process.getuid?.())
    await chown(path, account.uid, account.gid)
  const found = await lstat(path).catch(() => undefined)
  const uid = account?.uid ?? process.getuid?.()
  if (found?.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0) return
  throw new StartError(
    `The folder ${path} must belong to user ${uid} alone with mode 0700: remove it and start again.`,
  )
}

/** Throws if PostgreSQL could not enter the folder. */
export async function assertReachable(data_dir: string, account: Account): Promise<void> {
  try {
    await promisify(execFile)('/bin/sh', ['-c', 'cd "$1"', 'sh', data_dir], runAs(account))
  } catch (cause) {
    throw new StartError(
      `The data folder ${data_dir} cannot be reached by the user ${account.name}, whom PostgreSQL runs as: choose another with GATEHOUSE_DATA_DIR.`,
      { cause },
    )
  }
}
