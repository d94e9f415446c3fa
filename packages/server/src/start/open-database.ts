import { convertCluster } from '../backup/convert/convert-cluster.ts'
import { mostKept } from '../backup/give-up.ts'
import type { Config } from '../config/config.ts'
import { makeDataDir } from '../config/data-dir.ts'
import { StartError } from '../config/start-error.ts'
import { type Connections, connectionsOf } from '../database/connections.ts'
import {
  type ConnectionOptions,
  checkConnection,
  checkPair,
  connect,
  type Pool,
  type PoolOptions,
} from '../database/db.ts'
import { type Disk, type DiskOptions, watchDisk } from '../database/disk.ts'
import type { Account } from '../database/embedded/account.ts'
import { startEmbedded } from '../database/embedded/embedded.ts'
import { openServers } from '../database/open-servers.ts'
import { primaryReader, type Reader, standbyReader } from '../database/reader.ts'
import { Life } from '../events/life.ts'
import { codeOf, messageOf } from '../flow/failures.ts'
import type { AbsenceLog } from '../monitoring/absence-log.ts'
import { tracePool } from '../monitoring/traced-pool.ts'
import type { Context } from '../services/objects/context.ts'
import { migrate } from '../store/migration/migrate.ts'

type Surroundings = Pick<Context, 'clock' | 'log' | 'metrics' | 'timers' | 'tracing'> & {
  readonly absence: AbsenceLog
}

/** Opens the database, embedded or of DATABASE_URL, and brings its schema up to date. */
export async function openDatabase(
  config: Config,
  { absence, clock, log, metrics, timers, tracing }: Surroundings,
  owned: AsyncDisposableStack,
): Promise<Pick<Context, 'db' | 'life' | 'disk' | 'reader'>> {
  // Opened before PostgreSQL, which may need the ballast's space to start.
  const disk = owned.use(config.database_url ? noDisk : await watchDisk(diskOptions(config, log, () => db)))
  const ways = connectionsOf(config)
  const main = ways?.main ?? (await openEmbedded(config, log, owned))
  const direct = ways?.direct ?? main
  const servers = owned.use(openServers(main))
  const listening = direct === main ? servers : owned.use(openServers(direct))
  const pool = owned.use(
    connect(main, config.pool_size, { ...poolOptions(config), absence, servers, listening }),
  )
  const db: Pool = tracing ? tracePool(pool, tracing) : pool
  const life = owned.use(new Life(connect(direct, 1, { servers: listening }), db, log, timers))
  await prepareDatabase(ways, direct, clock.now(), life)
  if (direct !== main) await warnWithoutTimeout(db, log)
  return { db, life, disk, reader: openReader(config, ways, db, metrics, owned) }
}

async function openEmbedded(
  config: Config,
  log: Context['log'],
  owned: AsyncDisposableStack,
): Promise<ConnectionOptions> {
  const { data_dir, run_as } = config
  makeDataDir(data_dir)
  await convertCluster(config, log)
  // The service gives up the log that waits for backups earlier than PostgreSQL itself, unless it hangs.
  const settings = { max_slot_wal_keep_size: `${Math.ceil((await mostKept(data_dir)) / 1024 ** 2)}MB` }
  return owned.use(await startEmbedded({ data_dir, run_as, log, settings })).connection
}

/** On low disk space, runs a checkpoint, so that PostgreSQL can remove old write-ahead log. */
function diskOptions({ data_dir }: Config, log: Context['log'], db: () => Pool): DiskOptions {
  return {
    path: data_dir,
    onScarce(free_bytes) {
      log.warn(
        { free_bytes },
        'the disk is nearly full: only deletions, revocations and doors can still write',
      )
      Promise.resolve()
        .then(() => db().query('CHECKPOINT', [], { prepare: false }))
        .catch(() => undefined)
    },
  }
}

/** A database on another machine reports a full disk itself. */
const noDisk: Disk = {
  is_full: () => false,
  is_exhausted: () => false,
  [Symbol.asyncDispose]: async () => {},
}

function poolOptions({ pool_queue, pool_wait, statement_timeout }: Config): PoolOptions {
  return {
    waiting: pool_queue,
    acquire_timeout: pool_wait * 1000,
    statement_timeout: statement_timeout * 1000,
  }
}

/** Behind a pooler, the service cannot limit its statements itself. */
async function warnWithoutTimeout(db: Pool, log: Context['log']): Promise<void> {
  const [row] = await db.query<{ timeout: string }>(`SELECT current_setting('statement_timeout') AS timeout`)
  if (row?.timeout === '0')
    log.warn(
      "the pooler's connections have no statement_timeout, so a slow statement can occupy them: run ALTER ROLE … SET statement_timeout = '20s' for the user of DATABASE_URL",
    )
}

function openReader(
  config: Config,
  ways: Connections | undefined,
  db: Pool,
  metrics: Context['metrics'],
  owned: AsyncDisposableStack,
): Reader {
  if (!ways?.read) return primaryReader(db)
  const standby = owned.use(connect(ways.read, config.pool_size, poolOptions(config)))
  return standbyReader(db, standby, from => metrics.count('gatehouse_reads_total', { from }))
}

/** Migrates over a separate connection without the pool's timeouts, since a migration may take any time. */
async function prepareDatabase(
  ways: Connections | undefined,
  direct: ConnectionOptions,
  now: string,
  life: Life,
): Promise<void> {
  try {
    if (ways) await checkConnection(ways.main)
    if (ways && ways.direct !== ways.main) {
      await checkConnection(ways.direct)
      await checkPair(ways.main, ways.direct)
    }
    await using db = connect(direct, 1)
    await migrate(db, now, { announce: inner => life.announce(inner) })
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`The database cannot be used: ${codeOf(error) ?? ''} ${messageOf(error)}.`, {
      cause: error,
    })
  }
}

/**
 * Until now, root made the connections. The new account must be able to connect too, or the service would
 * lose the database at the next reconnect.
 */
export async function requireReach(config: Config, { name }: Account): Promise<void> {
  const { main, direct } = connectionsOf(config) ?? {}
  try {
    for (const way of new Set([main, direct])) if (way) await useOnce(way)
  } catch (error) {
    throw new StartError(
      `The user ${name}, which the service runs as, cannot reach the database: ${messageOf(error)}. Give it access, or set GATEHOUSE_RUN_AS to a user who has it.`,
      { cause: error },
    )
  }
}

async function useOnce(way: ConnectionOptions): Promise<void> {
  await using db = connect(way, 1)
  await db.query('SELECT 1')
}
