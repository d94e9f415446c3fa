import type {
  ChangesOf,
  Kind,
  NewOf,
  Resource,
  ResourceKind,
  Resources,
  SecretsOf,
  SentOf,
  StoredOf,
} from '@gatehouse-access/api'
import type { Logger } from 'pino'
import type { AuditWatch } from '../../audit/watch.ts'
import type { Certificates } from '../../certificates/certificates.ts'
import type { Channels } from '../../channels/channels.ts'
import type { Config } from '../../config/config.ts'
import type { QuotaName } from '../../config/quotas.ts'
import type { Pool } from '../../database/db.ts'
import type { Disk } from '../../database/disk.ts'
import type { Reader } from '../../database/reader.ts'
import type { CommandBus } from '../../devices/commands/commands.ts'
import type { DeviceGateway } from '../../devices/gateway/gateway.ts'
import type { DoorModes } from '../../doors/door-modes.ts'
import type { Feed } from '../../events/feed.ts'
import type { Life } from '../../events/life.ts'
import type { Notifier } from '../../events/notifier.ts'
import type { Revocations } from '../../events/revocations.ts'
import type { Tail } from '../../events/tail.ts'
import type { Clock } from '../../flow/clock.ts'
import type { Timers } from '../../flow/timers.ts'
import type { Traffic } from '../../flow/traffic.ts'
import type { Mailer } from '../../mail/mailer.ts'
import type { BackupHealth } from '../../monitoring/backup-health.ts'
import type { Metrics } from '../../monitoring/metrics.ts'
import type { Tracing } from '../../monitoring/tracing.ts'
import type { InstanceAlarms } from '../../operator/instance-alarms.ts'
import type { PolicyCache } from '../../policy/cache.ts'
import type { Recovery } from '../../recovery/recovery.ts'
import type { PinCounts } from '../../store/counts/pin-counts.ts'
import type { Quotas } from '../../store/counts/quotas.ts'
import type { Write } from '../../store/write.ts'
import type { Vault } from '../../vault/vault.ts'
import type { ZoneTables } from '../../zones/zone-data.ts'

/** Everything a request may need. Built once in server.ts and passed down. */
export interface Context {
  readonly config: Config
  readonly clock: Clock
  /** What this service knows of time zones: everything that is decided, shown or sent goes by it. */
  readonly zones: ZoneTables
  /** The timers behind every wait. */
  readonly timers: Timers
  readonly db: Pool
  /** Reads that need no lock, from standbys where there are some. Decisions read from `db`. */
  readonly reader: Reader
  /** Shows other processes that this process is alive. */
  readonly life: Life
  /** Two connections of the pool, for requests open to strangers: sign-ins, sign-ups and resets. */
  readonly sign_in_db: Pool
  readonly vault: Vault
  readonly log: Logger
  readonly feed: Feed
  /** The live end of the feed, shared by all streams of this process. */
  readonly tail: Tail
  /** Notified after deliveries are queued. */
  readonly deliveries: Notifier
  readonly metrics: Metrics
  /** Undefined unless traces are sent somewhere. */
  readonly tracing: Tracing | undefined
  readonly disk: Disk
  readonly policies: PolicyCache
  /** How doors and emergencies are now. */
  readonly doors: DoorModes
  readonly commands: CommandBus
  readonly devices: DeviceGateway
  readonly mailer: Mailer
  /** Sends messages to people over HTTP: push, ntfy and their own receivers. */
  readonly channels: Channels
  readonly revocations: Revocations
  readonly quotas: Quotas
  readonly pin_counts: PinCounts
  readonly traffic: Traffic
  readonly audit: AuditWatch
  readonly backup_health: BackupHealth
  /** What is wrong with the installation itself, for its operator. */
  readonly instance_alarms: InstanceAlarms
  /** Whether the service was restored from a backup that nobody has confirmed yet. */
  readonly recovery: Recovery
  readonly behaviours: Behaviours
  /** Undefined if a proxy ends TLS. */
  readonly certificates: Certificates | undefined
}

/** A change in progress: the transaction, the caller and the time. */
export interface Work extends Write {
  readonly context: Context
  /** Called when the response may reveal to the caller whether a PIN is taken. */
  onPinLookup?(): void | Promise<void>
  /** How many more objects count towards a quota than are there: a dry run takes back what its earlier batches have made. */
  foreseen?(name: QuotaName, holder: readonly string[]): number
}

/** The behavior of a kind beyond storage. All hooks except `settle` run in the transaction of the change. */
export interface Behaviour<R extends Resource = Resource> {
  /** Throws if values contradict each other. Returns the columns derived from others. Needs no database. */
  settle?(after: SettledOf<R>, before: StoredOf<R> | undefined, now: string): ChangesOf<R>
  /** Returns an object that is already what is asked for. Then nothing is created, and the response is that one. */
  findSame?(work: Work, values: NewOf<R>, given: ChangesOf<R>): Promise<StoredOf<R> | undefined>
  /** Returns further columns of a new object. `given` holds the values from the client. */
  beforeCreate?(work: Work, values: NewOf<R>, given: ChangesOf<R>): Promise<ChangesOf<R> & MadeOf<R>>
  /** Returns what the response to the create shows besides the object: its secrets. */
  afterCreate?(work: Work, row: StoredOf<R>, values: NewOf<R> & MadeOf<R>): Promise<MadeOf<R>>
  /** Returns further columns to change. `changes` holds only what differs. */
  beforeEdit?(work: Work, before: StoredOf<R>, changes: ChangesOf<R> & SentOf<R>): Promise<ChangesOf<R>>
  afterEdit?(work: Work, before: StoredOf<R>, after: StoredOf<R>): Promise<void>
  /** Runs before an object is deleted directly, not together with its parent. */
  beforeDelete?(work: Work, row: StoredOf<R>): Promise<ChangesOf<R>>
  /** Runs before a deleted object is restored. */
  beforeRestore?(work: Work, row: StoredOf<R>, changes: ChangesOf<R>): Promise<ChangesOf<R>>
}

/** The secrets created for a new object. */
type MadeOf<R extends Resource> = { readonly [K in keyof SecretsOf<R>]?: SecretsOf<R>[K] | undefined }

/** An object as it will be stored, new or changed: the columns visible to clients. */
type SettledOf<R extends Resource> = Pick<NewOf<R>, keyof NewOf<R> & keyof StoredOf<R>>

export type Behaviours = { readonly [K in Kind & ResourceKind]?: Behaviour<Resources[K]> }
