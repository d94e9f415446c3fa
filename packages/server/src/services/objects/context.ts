import type {
  ChangesOf,
  Kind,
  NewOf,
  Resource,
  ResourceKind,
  Resources,
  SecretsOf,
  StoredOf,
} from '@gatehouse/api'
import type { Logger } from 'pino'
import type { AuditWatch } from '../../audit/watch.ts'
import type { Config } from '../../config/config.ts'
import type { Pool } from '../../database/db.ts'
import type { Disk } from '../../database/disk.ts'
import type { CommandBus } from '../../devices/commands/commands.ts'
import type { DeviceGateway } from '../../devices/gateway/gateway.ts'
import type { Feed } from '../../events/feed.ts'
import type { Life } from '../../events/life.ts'
import type { Notifier } from '../../events/notifier.ts'
import type { Revocations } from '../../events/revocations.ts'
import type { Tail } from '../../events/tail.ts'
import type { Clock } from '../../flow/clock.ts'
import type { Timers } from '../../flow/timers.ts'
import type { Traffic } from '../../flow/traffic.ts'
import type { Mailer } from '../../mail/mailer.ts'
import type { Metrics } from '../../monitoring/metrics.ts'
import type { PolicyCache } from '../../policy/cache.ts'
import type { Quotas } from '../../store/quotas.ts'
import type { Write } from '../../store/write.ts'
import type { Vault } from '../../vault/vault.ts'

/** Everything a request may need, built once in server.ts and handed down. */
export interface Context {
  readonly config: Config
  readonly clock: Clock
  /** What everything that waits waits by. */
  readonly timers: Timers
  readonly db: Pool
  /** By which others know that this process lives. */
  readonly life: Life
  /** Two connections of the pool, for whatever a stranger can ask for: sign-ins, sign-ups, resets. */
  readonly sign_in_db: Pool
  readonly vault: Vault
  readonly log: Logger
  readonly feed: Feed
  /** The live end of the feed, shared by all streams of this process. */
  readonly tail: Tail
  /** Notified after deliveries were queued. */
  readonly deliveries: Notifier
  readonly metrics: Metrics
  readonly disk: Disk
  readonly policies: PolicyCache
  readonly commands: CommandBus
  readonly devices: DeviceGateway
  readonly mailer: Mailer
  readonly revocations: Revocations
  readonly quotas: Quotas
  readonly traffic: Traffic
  readonly audit: AuditWatch
  readonly behaviours: Behaviours
}

/** A change under way: the transaction, who makes it, when. */
export interface Work extends Write {
  readonly context: Context
  /** The caller may learn from the answer whether a PIN is taken. */
  onPinLookup?(): void
}

/**
 * What a kind does beyond being stored. Everything but `settle` runs in the transaction of the change.
 */
export interface Behaviour<R extends Resource = Resource> {
  /** Refuses values that contradict each other and answers the columns that follow from others. Needs no database. */
  settle?(after: SettledOf<R>, before: StoredOf<R> | undefined, now: string): ChangesOf<R>
  /** Answers further columns of a new object. `given` is what the client said of it. */
  beforeCreate?(work: Work, values: NewOf<R>, given: ChangesOf<R>): Promise<ChangesOf<R> & MadeOf<R>>
  /** Answers what the answer to the create shows beyond the object: its secrets. */
  afterCreate?(work: Work, row: StoredOf<R>, values: NewOf<R> & MadeOf<R>): Promise<MadeOf<R>>
  /** Answers further columns to change. `changes` holds only what differs. */
  beforeEdit?(work: Work, before: StoredOf<R>, changes: ChangesOf<R>): Promise<ChangesOf<R>>
  afterEdit?(work: Work, before: StoredOf<R>, after: StoredOf<R>): Promise<void>
  /** Before an object is deleted by itself, not along with its parent. */
  beforeDelete?(work: Work, row: StoredOf<R>): Promise<ChangesOf<R>>
  /** Before a deleted object lives again. */
  beforeRestore?(work: Work, row: StoredOf<R>, changes: ChangesOf<R>): Promise<ChangesOf<R>>
}

/** The secrets that were made for a new object. */
type MadeOf<R extends Resource> = { readonly [K in keyof SecretsOf<R>]?: SecretsOf<R>[K] | undefined }

/** An object as it will be, new or changed: the columns that a client sees. */
type SettledOf<R extends Resource> = Pick<NewOf<R>, keyof NewOf<R> & keyof StoredOf<R>>

export type Behaviours = { readonly [K in Kind & ResourceKind]?: Behaviour<Resources[K]> }
