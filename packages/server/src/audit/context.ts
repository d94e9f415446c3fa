import type { Config } from '../config/config.ts'
import type { Pool } from '../database/db.ts'
import type { Clock } from '../flow/clock.ts'
import type { AuditWatch } from './watch.ts'

/** The parts of the service that the audit uses. */
export interface AuditContext {
  readonly db: Pool
  readonly clock: Clock
  readonly config: Config
  readonly audit: AuditWatch
}
