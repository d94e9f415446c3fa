import type { Resource, Resources, StoredOf } from '@gatehouse-access/api'
import type { Row } from '../database/db.ts'

type Status = StoredOf<Resources['device']>['status']

/** Percent. */
const lowBattery = 20

/** Returns a reason for edits that "changed" would not explain: the event itself contains no values. */
export function reasonOf({ kind }: Resource, before: Row, changes: Row): string | undefined {
  if (before.is_deleted === true && changes.is_deleted === false) return 'restored'
  if (kind === 'calendar' && 'refreshed_at' in changes) return 'refreshed'
  return kind === 'device' && isStatus(before.status) && isStatus(changes.status)
    ? statusReason(before.status, changes.status)
    : undefined
}

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
