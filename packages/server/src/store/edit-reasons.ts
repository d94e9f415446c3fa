import type { Resource, Resources, StoredOf } from '@gatehouse/api'
import type { Row } from '../database/db.ts'

type Status = StoredOf<Resources['device']>['status']

/** Per cent. */
const lowBattery = 20

/** What an edit was, where "changed" would not tell: the event itself holds no values. */
export function reasonOf({ kind }: Resource, before: Row, changes: Row): string | undefined {
  if (before.is_deleted === true && changes.is_deleted === false) return 'restored'
  return kind === 'device' && isStatus(before.status) && isStatus(changes.status)
    ? statusReason(before.status, changes.status)
    : undefined
}

/** Of a device, where any kind may be changed. */
function isStatus(value: unknown): value is Status {
  return typeof value === 'object' && value !== null
}

function statusReason(before: Status, after: Status): string | undefined {
  if (before.online !== after.online) return after.online ? 'online' : 'offline'
  return isBatteryLow(after) && !isBatteryLow(before) ? 'battery_low' : undefined
}

export function isBatteryLow({ battery_present, battery_percent }: Status): boolean {
  return battery_present && battery_percent < lowBattery
}
