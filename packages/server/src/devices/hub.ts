import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { Feed } from '../events/feed.ts'
import type { Metrics } from '../metrics.ts'
import type { Pool } from '../store/db.ts'
import type { Disk } from '../store/disk.ts'
import type { Timers } from '../timers.ts'
import type { Arrivals } from './arrivals.ts'
import type { Identity } from './authenticate.ts'
import type { Carried } from './carried.ts'
import type { DeviceCommandBus } from './command-bus.ts'
import type { CommandBus } from './commands.ts'
import type { Connection } from './connection.ts'
import type { Uploads } from './journal/uploads.ts'
import type { PolicyPush } from './policy/push.ts'

/** What connections share: the gateway as they see it. */
export interface Hub {
  readonly db: Pool
  readonly clock: Clock
  readonly log: Logger
  readonly feed: Pick<Feed, 'wake' | 'woken'>
  readonly timers: Timers
  readonly metrics: Metrics
  readonly disk: Pick<Disk, 'is_exhausted'>
  readonly process_id: string
  readonly push: PolicyPush
  readonly commands: DeviceCommandBus
  /** To virtual devices too. */
  readonly all_commands: CommandBus
  readonly uploads: Uploads
  readonly arrivals: Arrivals
  add(connection: Connection, carried: Carried): void
  remove(carried: Carried): void
  removeConnection(connection: Connection): void
  departed(carried: Carried): Promise<void>
  /** The device had another connection, here or in another process. */
  replaced(before: { readonly process_id: string; readonly connection_id: string }): void
  isValid(identity: Identity): Promise<boolean>
}
