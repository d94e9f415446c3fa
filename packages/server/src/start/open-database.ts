import type { Config } from '../config/config.ts'
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
import type { Disk } from '../database/disk.ts'
import type { Account } from '../database/embedded/account.ts'
import { giveWay } from '../database/embedded/give-way.ts'
import { openServers } from '../database/open-servers.ts'
import { primaryReader, type Reader, standbyReader } from '../database/reader.ts'
import { Life } from '../events/life.ts'
import { codeOf, messageOf } from '../flow/failures.ts'
import type { AbsenceLog } from '../monitoring/absence-log.ts'
import { tracePool } from '../monitoring/traced-pool.ts'
import type { Context } from '../services/objects/context.ts'
import { migrate } from '../store/migration/migrate.ts'
import { type Launched, openEmbedded } from './embedded-database.ts'

type Surroundings = Pick<Context, 'clock' | 'log' | 'metrics' | 'timers' | 'tracing'> & {
  readonly absence: AbsenceLog
}

/**
 * Opens the database, embedded or of DATABASE_URL, and brings its schema up to date. An embedded one may have been
 * launched already.
 */
export async function openDatabase(
  config: Config,
  { absence, clock, log, metrics, timers, tracing }: Surroundings,
  owned: AsyncDisposableStack,
  launched?: Launched,
): Promise<Pick<Context, 'db' | 'life' | 'disk' | 'reader'>> {
  const ways = connectionsOf(config)
  const place = ways
    ? { connection: ways.main, disk: noDisk }
    : ((await launched?.opened) ?? owned.use(await openEmbedded(config, log)))
  const patience = ways ? {} : { giveWay }
  const main = place.connection
  const direct = ways?.direct ?? main
  const servers = owned.use(openServers(main))
  const listening = direct === main ? servers : owned.use(openServers(direct))
  const pool = owned.use(
    connect(main, config.pool_size, { ...poolOptions(config), ...patience, absence, servers, listening }),
  )
  const db: Pool = tracing ? tracePool(pool, tracing) : pool
  if ('connected' in place) place.connected(db)
  const life = owned.use(new Life(connect(direct, 1, { servers: listening }), db, log, timers))
  await prepareDatabase(ways, direct, clock.now(), life)
  if (direct !== main) await warnWithoutTimeout(db, log)
  return { db, life, disk: place.disk, reader: openReader(config, ways, db, metrics, owned) }
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

/** Milliseconds. A machine that is just starting can be slow to answer, which says nothing about who has access. */
const longest = { connect_timeout: 20_000, acquire_timeout: 25_000 }

async function useOnce(way: ConnectionOptions): Promise<void> {
  await using db = connect(way, 1, longest)
  await db.query('SELECT 1')
}
