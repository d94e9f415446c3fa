import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import type { Pool } from '../../database/db.ts'
import type { Feed } from '../../events/feed.ts'
import type { Clock } from '../../flow/clock.ts'
import type { Timers } from '../../flow/timers.ts'
import type { Vault } from '../../vault/vault.ts'
import type { ZoneTables } from '../policy/overlay.ts'

export interface PushContext {
  readonly db: Pool
  readonly clock: Clock
  readonly vault: Vault
  readonly log: Logger
  readonly feed: Pick<Feed, 'woken'>
  readonly timers: Timers
  readonly config: Pick<Config, 'secret_keys'>
  readonly zones: ZoneTables
}
