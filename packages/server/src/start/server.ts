import type { AddressInfo } from 'node:net'
import type { DestinationStream } from 'pino'
import { sealOrigins } from '../audit/origins.ts'
import { AuditWatch } from '../audit/watch.ts'
import type { BackupTimes } from '../backup/backups.ts'
import { mostKept } from '../backup/give-up.ts'
import { startBackups } from '../backup/start.ts'
import { Certificates } from '../certificates/certificates.ts'
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
import { narrow } from '../database/narrow.ts'
import { openServers } from '../database/open-servers.ts'
import { primaryReader, type Reader, standbyReader } from '../database/reader.ts'
import { type DeliveryOptions, startDelivery } from '../delivery/start.ts'
import { seedDemo } from '../demo/seed.ts'
import { DeviceGateway, type GatewayOptions } from '../devices/gateway/gateway.ts'
import { virtualCommandBus } from '../devices/virtual/commands.ts'
import { openFeed } from '../events/feed.ts'
import { measureLag } from '../events/lag.ts'
import { Life } from '../events/life.ts'
import { openNotifier } from '../events/notifier.ts'
import { Revocations } from '../events/revocations.ts'
import { Tail } from '../events/tail.ts'
import { type Clock, systemClock } from '../flow/clock.ts'
import { codeOf, messageOf } from '../flow/failures.ts'
import { Semaphore } from '../flow/semaphore.ts'
import { systemTimers, type Timers } from '../flow/timers.ts'
import { Traffic } from '../flow/traffic.ts'
import { type AppOptions, createApp } from '../http/app.ts'
import { startJobs } from '../jobs/run-jobs.ts'
import { openMailer } from '../mail/mailer.ts'
import { AbsenceLog } from '../monitoring/absence-log.ts'
import { openLog } from '../monitoring/log.ts'
import { createMetrics } from '../monitoring/metrics.ts'
import { openTracing } from '../monitoring/open-tracing.ts'
import { tracePool } from '../monitoring/traced-pool.ts'
import type { Tracing } from '../monitoring/tracing.ts'
import { PolicyCache } from '../policy/cache.ts'
import { confirmRestore } from '../recovery/confirm.ts'
import { beginLedger, writeLedger } from '../recovery/ledger/write-ledger.ts'
import { Recovery } from '../recovery/recovery.ts'
import { findOpenRestore } from '../recovery/restores.ts'
import { behaviours } from '../services/behaviours.ts'
import { claimKeys } from '../services/keys/service-keys.ts'
import type { Context } from '../services/objects/context.ts'
import { migrate } from '../store/migrate.ts'
import { Quotas } from '../store/quotas.ts'
import { openVault } from '../vault/vault.ts'
import { Entrance, longestDrain } from './entrance.ts'
import { becomeAccount } from './privileges.ts'

export interface Server extends AsyncDisposable {
  readonly context: Context
  readonly url: string
}

export interface ServerOptions {
  readonly clock?: Clock
  readonly timers?: Timers
  /** If false, jobs run only when a test calls them. */
  readonly jobs?: boolean
  /** If false, nothing is delivered or sealed. */
  readonly delivery?: boolean | DeliveryOptions
  readonly devices?: GatewayOptions
  /** Destination of the log. Defaults to standard output. */
  readonly log?: DestinationStream
  /** Logs when the database is away. */
  readonly absence?: AbsenceLog
  readonly http?: AppOptions
  readonly backups?: BackupTimes
  /** The account that the process switches to before it listens. Unchanged when omitted. */
  readonly account?: Account | undefined
}

/** Starts all parts in order. They are closed in reverse order. */
export async function startServer(config: Config, options: ServerOptions = {}): Promise<Server> {
  const owned = new AsyncDisposableStack()
  try {
    const context = await openContext(config, owned, options)
    await beginLedger(context)
    if (config.demo) await seedDemo(context)
    owned.use(context.devices)
    await context.devices.start()
    const app = createApp(context, options.http)
    const entrance = new Entrance(app, config, context.certificates)
    const workers: AsyncDisposable[] = []
    // Closed after the last request, whose changes are archived too.
    const backups = owned.use(new AsyncDisposableStack())
    // After the last request: nothing that was revoked may be missing from the ledger.
    if (options.jobs !== false) owned.defer(() => endLedger(context))
    owned.defer(() => stopWork(entrance, workers))
    await listenAs(app, entrance, context, options.account)
    if (options.jobs !== false) {
      workers.push(startJobs(context))
      backups.use(await startBackups(context, options.backups))
    }
    const delivery = options.delivery ?? true
    if (delivery) workers.push(startDelivery(context, delivery === true ? {} : delivery))
    const { port } = app.server.address() as AddressInfo
    return {
      context,
      url: `${config.tls ? 'https' : 'http'}://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
      [Symbol.asyncDispose]: () => owned.disposeAsync(),
    }
  } catch (error) {
    await owned.disposeAsync()
    throw error
  }
}

/** Opens everything but HTTP. The command line uses it too. */
export async function openContext(
  config: Config,
  owned: AsyncDisposableStack,
  { clock = systemClock, timers = systemTimers, devices = {}, ...options }: ServerOptions = {},
): Promise<Context> {
  const absence = owned.use(options.absence ?? new AbsenceLog())
  let tracing: Tracing | undefined
  const traced = config.otlp_endpoint ? () => tracing?.current() ?? {} : undefined
  const log = openLog(config.log_level, options.log, absence, traced)
  const metrics = createMetrics()
  if (config.otlp_endpoint)
    tracing = owned.use(
      await openTracing({ endpoint: config.otlp_endpoint, sampled: config.traces_sampled, log, metrics }),
    )
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
  await claimKeys(db, config.secret_keys, clock.now())
  const recovery = await openRecovery({ db, clock, config, log, timers }, owned)
  const reader = openReader(config, ways, db, metrics, owned)
  const feed = owned.use(await openFeed(db, log, timers))
  const tail = owned.use(new Tail(feed, timers))
  metrics.gauge('gatehouse_feed_lag_seconds', 'Age of the oldest event that readers cannot see yet.', () =>
    feed.lag().catch(() => Number.NaN),
  )
  for (const consumer of ['webhooks', 'audit'])
    metrics.gauge(
      'gatehouse_consumer_lag_seconds',
      'Age of the oldest event that the consumer has not handled yet.',
      () => measureLag({ db, feed, clock }, consumer).catch(() => Number.NaN),
      { consumer },
    )
  const audit = new AuditWatch(log)
  metrics.gauge('gatehouse_audit_alarm', '1 while the audit chain is found to be tampered with.', () =>
    audit.alarm === undefined ? 0 : 1,
  )
  await sealOrigins({ db, clock, config, audit })
  metrics.gauge('gatehouse_recovered', '1 while a restore waits for its confirmation.', () =>
    recovery.is_on ? 1 : 0,
  )
  metrics.gauge('gatehouse_memory_bytes', 'Resident memory of the process.', () => process.memoryUsage.rss())
  const vault = openVault(config.secret_keys)
  const revocations = new Revocations(db, log)
  feed.onEpoch(() => revocations.forget())
  const traffic = new Traffic(timers)
  const gateway = new DeviceGateway(
    {
      config,
      clock,
      db,
      vault,
      log,
      feed,
      timers,
      metrics,
      tracing,
      disk,
      traffic,
      recovery,
      virtual: virtualCommandBus({ config, clock, db, vault }),
    },
    devices,
  )
  return {
    config,
    clock,
    timers,
    db,
    reader,
    life,
    sign_in_db: narrow(db, new Semaphore(2, { most_waiting: 200, what: 'sign-ins' })),
    vault,
    log,
    feed,
    tail,
    deliveries: openNotifier(db, log, 'gatehouse_deliveries'),
    metrics,
    tracing,
    disk,
    policies: new PolicyCache(db),
    commands: gateway,
    devices: gateway,
    mailer: owned.use(openMailer(config, log)),
    revocations,
    quotas: new Quotas(config.quotas, clock, timers),
    traffic,
    audit,
    recovery,
    behaviours,
    certificates:
      config.tls && owned.use(new Certificates(config.tls, { db, vault, clock, log, life, metrics })),
  }
}

/** In tests, nobody is there to confirm a restore. */
async function openRecovery(
  context: Pick<Context, 'db' | 'clock' | 'config' | 'log' | 'timers'>,
  owned: AsyncDisposableStack,
): Promise<Recovery> {
  if (context.config.restore_confirm === 'auto' && (await findOpenRestore(context.db)))
    await confirmRestore(context, { by: 'GATEHOUSE_RESTORE_CONFIRM=auto' })
  return owned.use(new Recovery(context)).open()
}

async function openEmbedded(
  config: Config,
  log: Context['log'],
  owned: AsyncDisposableStack,
): Promise<ConnectionOptions> {
  const { data_dir, run_as } = config
  makeDataDir(data_dir)
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

/** Stops requests, jobs and deliveries in parallel, so that a hanging webhook receiver delays no response. */
async function stopWork(entrance: AsyncDisposable, workers: readonly AsyncDisposable[]): Promise<void> {
  const ends = workers.map(worker => worker[Symbol.asyncDispose]())
  await Promise.all([entrance[Symbol.asyncDispose](), ...ends.map(end => waitAWhile(end))])
}

async function endLedger(context: Context): Promise<void> {
  const writing = writeLedger(context).catch(error =>
    context.log.warn({ err: error }, 'the ledger is written after the next start'),
  )
  await waitAWhile(writing, longestLedger)
}

/** Milliseconds that writing the ledger may take when the service stops. */
const longestLedger = 3000

/** Waits up to `longestDrain`, then abandons the attempt: its outcome is unknown, so it is retried later. */
async function waitAWhile(end: PromiseLike<void>, longest = longestDrain): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, longest)
  await Promise.race([end, late.promise]).finally(() => clearTimeout(timer))
}

/**
 * Drops root before listening, since all else that needs root is open by now. A port below 1024 is the
 * exception: root binds it, and connections wait there until the process is the account.
 */
async function listenAs(
  app: ReturnType<typeof createApp>,
  entrance: Entrance,
  { config, log, certificates }: Context,
  account: Account | undefined,
): Promise<void> {
  // Loads the parts that Fastify otherwise loads on listen, while root can still read them.
  if (account) await app.ready()
  if (account && !entrance.is_low) await becomeAccount(account, config, log)
  await entrance.bind()
  if (account && entrance.is_low) await becomeAccount(account, config, log)
  const { main, direct } = connectionsOf(config) ?? {}
  if (account) for (const way of new Set([main, direct])) if (way) await requireReach(way, account)
  // As the account, which reads the files again when they change.
  await certificates?.load()
  entrance.open()
}

/**
 * Until now, root made the connections. The new account must be able to connect too, or the service would
 * lose the database at the next reconnect.
 */
async function requireReach(way: ConnectionOptions, { name }: Account): Promise<void> {
  try {
    await using db = connect(way, 1)
    await db.query('SELECT 1')
  } catch (error) {
    throw new StartError(
      `The user ${name}, which the service runs as, cannot reach the database: ${messageOf(error)}. Give it access, or set GATEHOUSE_RUN_AS to a user who has it.`,
      { cause: error },
    )
  }
}
