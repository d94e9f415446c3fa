import type { Logger } from 'pino'
import type { Pool } from '../../database/db.ts'
import type { Disk } from '../../database/disk.ts'
import type { Feed } from '../../events/feed.ts'
import type { Clock } from '../../flow/clock.ts'
import type { Timers } from '../../flow/timers.ts'
import type { Metrics } from '../../monitoring/metrics.ts'
import type { Tracing } from '../../monitoring/tracing.ts'
import type { Recovery } from '../../recovery/recovery.ts'
import type { Identity } from '../authenticate.ts'
import type { DeviceCommandBus } from '../commands/command-bus.ts'
import type { CommandBus } from '../commands/commands.ts'
import type { ZoneOffsets } from '../journal/references.ts'
import type { Uploads } from '../journal/uploads.ts'
import type { DoorReports } from '../modes/door-reports.ts'
import type { PolicyPush } from '../slices/push.ts'
import type { Arrivals } from './arrivals.ts'
import type { AttachedDevice } from './attached-device.ts'

/** The part of the gateway that its connections use. */
export interface Hub<Connection> {
  readonly db: Pool
  readonly clock: Clock
  readonly log: Logger
  readonly feed: Pick<Feed, 'woken'>
  readonly timers: Timers
  readonly metrics: Metrics
  readonly tracing?: Tracing | undefined
  readonly disk: Pick<Disk, 'is_exhausted'>
  readonly recovery: Pick<Recovery, 'is_on'>
  readonly zones: ZoneOffsets
  readonly process_id: string
  readonly push: PolicyPush
  readonly doors: DoorReports
  readonly commands: DeviceCommandBus
  /** Includes virtual devices. */
  readonly all_commands: CommandBus
  readonly uploads: Uploads
  readonly arrivals: Arrivals
  /** The ids of connections whose arrival or departure is being recorded. */
  readonly moving: Set<string>
  add(connection: Connection, attached: AttachedDevice): void
  remove(attached: AttachedDevice): void
  removeConnection(connection: Connection): void
  departed(attached: AttachedDevice): Promise<void>
  /** Closes the previous connection of a device, in this process or in another. */
  replaced(before: { readonly process_id: string; readonly connection_id: string }): void
  isValid(identity: Identity): Promise<boolean>
}
