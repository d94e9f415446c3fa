import type { Logger } from 'pino'
import type { Database } from '../../database/db.ts'
import { findEmergencyDoors } from '../../doors/door-states.ts'
import type { StoredEvent } from '../../events/feed-event.ts'
import type { Clock } from '../../flow/clock.ts'

/** Doors that a line of the log names. */
const mostNamed = 20

interface Needs {
  readonly db: Database
  readonly clock: Clock
  readonly log: Logger
}

/** Whether somebody has started an emergency. */
export function isBeginning({ object, verb }: StoredEvent): boolean {
  return object.type === 'emergency' && verb === 'create'
}

/** Says which doors are not locked down although somebody has started a lockdown, because they cannot be reached. */
export async function tellNotArrived(
  { db, clock, log }: Needs,
  events: readonly StoredEvent[],
): Promise<void> {
  for (const { object, organization_id } of events) {
    const { emergency_id } = object
    if (!emergency_id) continue
    const doors = await findEmergencyDoors(db, {
      organization_id,
      emergency_id,
      now: clock.now(),
      after: '',
      state: 'offline',
      limit: mostNamed + 1,
    })
    if (doors.length === 0) continue
    const gadget_ids = doors.slice(0, mostNamed).map(({ gadget_id }) => gadget_id)
    const more = doors.length > mostNamed
    log.warn(
      { organization_id, emergency_id, gadget_ids, more },
      'an emergency has not arrived at doors whose devices are offline',
    )
  }
}
