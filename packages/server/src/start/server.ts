import type { AddressInfo } from 'node:net'
import type { DestinationStream } from 'pino'
import { startAlarms } from '../alarms/following/start-alarms.ts'
import { sealOrigins } from '../audit/origins.ts'
import { AuditWatch } from '../audit/watch.ts'
import type { BackupTimes } from '../backup/backups.ts'
import { startBackups } from '../backup/start.ts'
import { Certificates } from '../certificates/certificates.ts'
import { Channels } from '../channels/channels.ts'
import type { Config } from '../config/config.ts'
import type { Account } from '../database/embedded/account.ts'
import { narrow } from '../database/narrow.ts'
import { type DeliveryOptions, startDelivery } from '../delivery/start.ts'
import { seedDemo } from '../demo/seed.ts'
import { startFollowing } from '../devices/following/start-following.ts'
import { DeviceGateway, type GatewayOptions } from '../devices/gateway/gateway.ts'
import { virtualCommandBus } from '../devices/virtual/commands.ts'
import { DoorModes } from '../doors/door-modes.ts'
import { openFeed } from '../events/feed.ts'
import { openNotifier } from '../events/notifier.ts'
import { Revocations } from '../events/revocations.ts'
import { Tail } from '../events/tail.ts'
import { type Clock, systemClock } from '../flow/clock.ts'
import { Semaphore } from '../flow/semaphore.ts'
import { systemTimers, type Timers } from '../flow/timers.ts'
import { Traffic } from '../flow/traffic.ts'
import { type AppOptions, createApp } from '../http/app.ts'
import { startJobs } from '../jobs/run-jobs.ts'
import { openMailer } from '../mail/mailer.ts'
import { AbsenceLog } from '../monitoring/absence-log.ts'
import { BackupHealth } from '../monitoring/backup-health.ts'
import { openLog } from '../monitoring/log.ts'
import { LogMask } from '../monitoring/log-mask.ts'
import { createMetrics } from '../monitoring/metrics.ts'
import { openTracing } from '../monitoring/open-tracing.ts'
import type { Tracing } from '../monitoring/tracing.ts'
import { InstanceAlarms } from '../operator/instance-alarms.ts'
import { PolicyCache } from '../policy/cache.ts'
import { confirmRestore } from '../recovery/confirm.ts'
import { beginLedger, writeLedger } from '../recovery/ledger/write-ledger.ts'
import { Recovery } from '../recovery/recovery.ts'
import { findOpenRestore } from '../recovery/restores.ts'
import { behaviours } from '../services/behaviours.ts'
import { jobTypes } from '../services/job-types.ts'
import { JobRunner } from '../services/jobs/run-jobs.ts'
import { claimKeys } from '../services/keys/service-keys.ts'
import type { Context } from '../services/objects/context.ts'
import { PinCounts } from '../store/counts/pin-counts.ts'
import { Quotas } from '../store/counts/quotas.ts'
import { startTelling } from '../telling/sending/start-telling.ts'
import { openVault } from '../vault/vault.ts'
import { readLastTables } from '../zones/last-tables.ts'
import { openZones } from '../zones/open-zones.ts'
import { settleZones } from '../zones/settle-zones.ts'
import type { Launched } from './embedded-database.ts'
import { Entrance, longestDrain } from './entrance.ts'
import { measureService } from './measure-service.ts'
import { openDatabase, requireReach } from './open-database.ts'
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
  /** The embedded database, if it is already starting. */
  readonly launched?: Launched | undefined
}

/** Starts all parts in order. They are closed in reverse order. */
export async function startServer(config: Config, options: ServerOptions = {}): Promise<Server> {
  const owned = new AsyncDisposableStack()
  try {
    const context = await openContext(config, owned, options)
    await settleZones(context)
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
      backups.use(await startBackups(context, options.backups))
      workers.push(startJobs(context))
      workers.push(startTelling(context))
      workers.push(new JobRunner(context, jobTypes))
    }
    const delivery = options.delivery ?? true
    if (delivery) {
      workers.push(startDelivery(context, delivery === true ? {} : delivery))
      workers.push(startFollowing(context))
      workers.push(startAlarms(context))
    }
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
  const { launched } = options
  // Also when it fails before the database is used: it would keep the process running.
  if (launched) owned.defer(() => closeLaunched(launched))
  // Before anything is opened: a wrong folder must change nothing.
  const zones = openZones(config, clock)
  const absence = owned.use(options.absence ?? new AbsenceLog())
  let tracing: Tracing | undefined
  const traced = config.otlp_endpoint ? () => tracing?.current() ?? {} : undefined
  const vault = openVault(config.secret_keys)
  const mask = new LogMask(vault, config.log_personal)
  const log = openLog(config.log_level, options.log, absence, traced, mask)
  const metrics = createMetrics()
  if (config.otlp_endpoint)
    tracing = owned.use(
      await openTracing({ endpoint: config.otlp_endpoint, sampled: config.traces_sampled, log, metrics }),
    )
  const { db, life, disk, reader } = await openDatabase(
    config,
    { absence, log, metrics, tracing, clock, timers },
    owned,
    launched,
  )
  await mask.decide(db, config.log_personal)
  await claimKeys(db, config.secret_keys, clock.now())
  zones.remember(await readLastTables(db))
  const recovery = await openRecovery({ db, clock, config, log, timers }, owned)
  const feed = owned.use(await openFeed(db, log, timers))
  const tail = owned.use(new Tail(feed, timers))
  const audit = new AuditWatch(log)
  await sealOrigins({ db, clock, config, audit })
  measureService({ audit, clock, db, feed, metrics, recovery, zones })
  const instance_alarms = owned.use(new InstanceAlarms({ db, clock, log }))
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
      zones,
      virtual: virtualCommandBus({ config, clock, db, vault, zones }),
    },
    devices,
  )
  return {
    config,
    clock,
    zones,
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
    policies: new PolicyCache(db, zones),
    doors: new DoorModes(db, zones, clock),
    commands: gateway,
    devices: gateway,
    mailer: owned.use(openMailer(config, log, clock)),
    channels: owned.use(new Channels({ config, timers, resolve: resolveOf(options) })),
    revocations,
    quotas: new Quotas(config.quotas, clock, timers),
    pin_counts: new PinCounts(timers),
    traffic,
    audit,
    backup_health: new BackupHealth(),
    instance_alarms,
    recovery,
    behaviours,
    certificates:
      config.tls &&
      owned.use(new Certificates(config.tls, { db, vault, clock, log, life, metrics, instance_alarms })),
  }
}

/** Tests answer for the names of receivers. */
function resolveOf({ delivery }: ServerOptions): DeliveryOptions['resolve'] {
  return typeof delivery === 'object' ? delivery.resolve : undefined
}

async function closeLaunched({ opened }: Launched): Promise<void> {
  const embedded = await opened.catch(() => undefined)
  await embedded?.[Symbol.asyncDispose]()
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
  if (account) await requireReach(config, account)
  // As the account, which reads the files again when they change.
  await certificates?.load()
  entrance.open()
}
