import type { Config } from '../config/config.ts'
import type { Pool } from '../database/db.ts'
import type { Clock } from '../flow/clock.ts'
import type { AuditWatch } from './watch.ts'

/** What the audit needs of the service. */
export interface AuditContext {
  readonly db: Pool
  readonly clock: Clock
  readonly config: Config
  readonly audit: AuditWatch
}
