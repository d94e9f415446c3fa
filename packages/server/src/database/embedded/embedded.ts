import { join } from 'node:path'
import type { Logger } from 'pino'
import { makeDataDir } from '../../config/data-dir.ts'
import type { Account } from './account.ts'
import { createCluster, service_name } from './cluster.ts'
import { lockDataDir } from './lock.ts'
import { openLogFile } from './log-file.ts'
import { requireMajor } from './major.ts'
import { clearRemains } from './orphan.ts'
import { chooseParameters } from './parameters.ts'
import { findSocketDir, preparePlace, socket_port } from './place.ts'
import { startPostmaster } from './postmaster.ts'
import { type Supervisor, supervise } from './supervisor.ts'
import { settleSwap } from './swap.ts'

type EmbeddedOptions = {
  data_dir: string
  /** The account that PostgreSQL runs as if this process is root. */
  run_as?: string | undefined
  /** That account itself, if another database determines it. */
  account?: Account | undefined
  log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** False in tests only: faster, but a power failure destroys the database. */
  durable?: boolean
  /** PostgreSQL parameters that extend or override the defaults. */
  settings?: Record<string, string>
  /** Called when there is nothing to do but wait for a program of PostgreSQL. */
  onLaunch?: (() => void) | undefined
}

/** Connection parameters for a driver. The host is the folder of a Unix socket. */
type EmbeddedConnection = { host: string; port: number; user: string; database: string }

export type EmbeddedPostgres = AsyncDisposable & {
  connection: EmbeddedConnection
  /** Changes when PostgreSQL is restarted. */
  readonly pid: number
  stop: () => Promise<void>
}

/** Runs an embedded PostgreSQL in the data folder and restarts it whenever it ends, until it is stopped. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  makeDataDir(options.data_dir)
  const owned = new AsyncDisposableStack()
  try {
    owned.use(lockDataDir(options.data_dir))
    const supervisor = await startSupervised(options, owned)
    owned.defer(supervisor.stop)
    return describe(options.data_dir, supervisor, owned)
  } catch (error) {
    await owned.disposeAsync()
    throw error
  }
}

/** Returns how to connect to the running database of a data folder, also from other processes. */
export function findConnection(data_dir: string): EmbeddedConnection {
  return { host: findSocketDir(data_dir), port: socket_port, user: service_name, database: service_name }
}

async function startSupervised(options: EmbeddedOptions, owned: AsyncDisposableStack): Promise<Supervisor> {
  const { log, durable = true, settings, onLaunch } = options
  await settleSwap(options.data_dir)
  const place = await preparePlace(options.data_dir, options.run_as, options.account)
  await clearRemains(place, log)
  await createCluster(place, durable, onLaunch)
  await requireMajor(place.database_dir)
  const log_file = owned.use(openLogFile(join(place.data_dir, 'postgres.log')))
  const parameters = { ...chooseParameters(place, durable), ...settings }
  return supervise(signal => startPostmaster({ place, log_file, parameters, onLaunch }, signal), log)
}

function describe(data_dir: string, supervisor: Supervisor, owned: AsyncDisposableStack): EmbeddedPostgres {
  const stop = () => owned.disposeAsync()
  return {
    connection: findConnection(data_dir),
    get pid() {
      return supervisor.pid()
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}
