import type { Database } from '../../database/db.ts'
import { type Author, conditionKey } from '../condition.ts'
import { endAlarm } from '../end-alarms.ts'
import { openAlarm } from '../open-alarms.ts'

/** What a device says of its clock, and when it said so. */
export interface ClockReport {
  readonly device_id: string
  readonly is_unsure: boolean
  readonly at: string
  readonly is_late: boolean
}

/** To be called when the clock of a device has become unsure, or is sure again. Needs a transaction. */
export function followClock(
  db: Database,
  author: Author,
  { at, device_id, is_late, is_unsure }: ClockReport,
): Promise<void> {
  const type = 'device_clock_unsure'
  const condition_key = conditionKey(type, device_id)
  return is_unsure
    ? openAlarm(db, author, { type, condition_key, device_id, started_at: at, is_late })
    : endAlarm(db, author, condition_key, at)
}
