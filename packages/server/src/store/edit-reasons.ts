import type { Resource } from '@gatehouse/api'
import type { Row } from '../database/db.ts'

interface Status {
  readonly online: boolean
  readonly battery_present: boolean
  readonly battery_percent: number
}

/** Per cent. */
const lowBattery = 20

/** What an edit was, where "changed" would not tell: the event itself holds no values. */
export function reasonOf({ kind }: Resource, before: Row, changes: Row): string | undefined {
  if (before.is_deleted === true && changes.is_deleted === false) return 'restored'
  return kind === 'device' && changes.status
    ? statusReason(before.status as Status, changes.status as Status)
    : undefined
}

function statusReason(before: Status, after: Status): string | undefined {
  if (before.online !== after.online) return after.online ? 'online' : 'offline'
  return isBatteryLow(after) && !isBatteryLow(before) ? 'battery_low' : undefined
}

export function isBatteryLow({ battery_present, battery_percent }: Status): boolean {
  return battery_present && battery_percent < lowBattery
}
