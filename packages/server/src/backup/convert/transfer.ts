import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../../config/start-error.ts'
import { connect } from '../../database/db.ts'
import { findConnection, startEmbedded } from '../../database/embedded/embedded.ts'
import { openLogFile } from '../../database/embedded/log-file.ts'
import { chooseParameters } from '../../database/embedded/parameters.ts'
import type { ClusterPaths } from '../../database/embedded/place.ts'
import { startPostmaster } from '../../database/embedded/postmaster.ts'
import { supervise } from '../../database/embedded/supervisor.ts'
import { Session } from '../../database/session.ts'
import { BackupError } from '../archive/backup-error.ts'
import { countRows } from '../folder/tables.ts'
import { readRows } from '../logical/dump.ts'
import { loadRows } from '../logical/load.ts'

const quiet = { info: () => {}, warn: () => {}, error: () => {} }
const spare = 512 * 1024 * 1024

/** Copies all rows of a database, which the programs of its own version run, into a new one in a folder. */
export async function transfer(old: ClusterPaths, folder: string): Promise<void> {
  await using _old = await startOld(old)
  using from = await Session.open(findConnection(old.data_dir))
  await requireRoom(from, old.data_dir)
  await using made = await startEmbedded({ data_dir: folder, account: old.account, log: quiet })
  using into = await Session.open(made.connection)
  // Nobody is served meanwhile, so nothing is spared; and the key of the service stays where it is.
  const { content, rows } = readRows(from, { service_keys: [], pace: Number.POSITIVE_INFINITY })
  await from.query('SET idle_in_transaction_session_timeout = 0')
  await from.transaction('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', () =>
    loadRows(into, content, new Date().toISOString()),
  )
  await using db = connect(made.connection, 1)
  requireSame(rows, await countRows(db))
  await db.query('ANALYZE', [], { prepare: false })
}

async function startOld(place: ClusterPaths): Promise<AsyncDisposable> {
  const log_file = openLogFile(join(place.data_dir, 'postgres.log'))
  try {
    const launch = { place, log_file, parameters: chooseParameters(place, true) }
    const supervisor = await supervise(signal => startPostmaster(launch, signal), quiet)
    return {
      async [Symbol.asyncDispose]() {
        await supervisor.stop()
        log_file[Symbol.dispose]()
      },
    }
  } catch (error) {
    log_file[Symbol.dispose]()
    throw error
  }
}

async function requireRoom(session: Session, data_dir: string): Promise<void> {
  const [row] = await session.query<{ bytes: string }>(
    'SELECT pg_database_size(current_database())::text AS bytes',
  )
  const { bavail, bsize } = await statfs(data_dir)
  const needed = Number(row?.bytes) + spare
  if (bavail * bsize >= needed) return
  const megabytes = (bytes: number) => `${Math.ceil(bytes / 1024 ** 2)} MB`
  throw new StartError(
    `The database cannot be converted to the PostgreSQL of this version: that takes ${megabytes(needed)} in ${data_dir}, where ${megabytes(bavail * bsize)} are free.`,
  )
}

function requireSame(
  expected: Readonly<Record<string, number>>,
  found: Readonly<Record<string, number>>,
): void {
  for (const [table, count] of Object.entries(expected))
    if (found[table] !== count)
      throw new BackupError(`the table ${table} has ${found[table] ?? 0} rows instead of ${count}`)
}
