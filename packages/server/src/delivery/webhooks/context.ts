import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import type { Pool } from '../../database/db.ts'
import type { Feed } from '../../events/feed.ts'
import type { Life } from '../../events/life.ts'
import type { Notifier } from '../../events/notifier.ts'
import type { Tail } from '../../events/tail.ts'
import type { Clock } from '../../flow/clock.ts'
import type { Timers } from '../../flow/timers.ts'
import type { Mailer } from '../../mail/mailer.ts'
import type { Metrics } from '../../monitoring/metrics.ts'
import type { Tracing } from '../../monitoring/tracing.ts'
import type { Recovery } from '../../recovery/recovery.ts'
import type { DoorTelling } from '../../store/tell.ts'
import type { Vault } from '../../vault/vault.ts'
import type { ZoneData } from '../../zones/zone-data.ts'

export interface DeliveryContext {
  readonly config: Config
  readonly clock: Clock
  readonly timers: Timers
  readonly db: Pool
  readonly vault: Vault
  readonly zones: ZoneData
  readonly doors: DoorTelling
  readonly log: Logger
  readonly metrics: Metrics
  readonly tracing?: Tracing | undefined
  readonly mailer: Mailer
  readonly feed: Feed
  readonly tail: Tail
  readonly life: Life
  readonly recovery: Recovery
  /** Notified after deliveries were queued. */
  readonly deliveries: Notifier
}
