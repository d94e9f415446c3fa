import type { Logger } from 'pino'
import type { AuditWatch } from './audit/watch.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { CommandBus } from './devices/commands.ts'
import type { DeviceGateway } from './devices/gateway.ts'
import type { Bell } from './events/bell.ts'
import type { Feed } from './events/feed.ts'
import type { Life } from './events/life.ts'
import type { Tail } from './events/tail.ts'
import type { Mailer } from './mail/mailer.ts'
import type { Metrics } from './metrics.ts'
import type { PolicyCache } from './policy/cache.ts'
import type { Quotas } from './quotas/quotas.ts'
import type { Revocations } from './revocations.ts'
import type { Pool } from './store/db.ts'
import type { Disk } from './store/disk.ts'
import type { Traffic } from './traffic.ts'
import type { Vault } from './vault.ts'

/** Everything a request may need, built once in server.ts and handed down. */
export interface Context {
  readonly config: Config
  readonly clock: Clock
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
  /** Rung after deliveries were queued. */
  readonly deliveries: Bell
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
}
