import type { Resource, Resources, StoredOf } from '@gatehouse-access/api'
import type { Row } from '../../database/db.ts'
import { isRecord } from '../../flow/record.ts'

type Status = StoredOf<Resources['device']>['status']

/** Percent. */
export const lowBattery = 20

/** Returns a reason for edits that "changed" would not explain: the event itself contains no values. */
export function reasonOf({ kind }: Resource, before: Row, changes: Row): string | undefined {
  if (before.is_deleted === true && changes.is_deleted === false) return 'restored'
  if ('is_suspended' in changes) return changes.is_suspended ? 'suspended' : 'resumed'
  if (kind === 'calendar' && 'refreshed_at' in changes) return 'refreshed'
  if (kind === 'unlock_rule' && 'arrivals' in changes) return 'first_person'
  if (kind === 'unlock_rule' && 'departures' in changes) return 'last_person'
  if (kind === 'site' && 'fire' in changes) return fireReason(before.fire, changes.fire)
  if (kind === 'job') return typeof changes.state === 'string' ? changes.state : undefined
  if (kind === 'alarm') return alarmReason(before, changes)
  if ('maintenance_until' in changes) return 'maintenance'
  if (kind === 'emergency') return emergencyReasons.find(([name]) => name in changes)?.[1]
  return kind === 'device' && isStatus(before.status) && isStatus(changes.status)
    ? statusReason(before.status, changes.status)
    : undefined
}

/** The first that applies: what ended is no longer renewed. */
const emergencyReasons = [
  ['ended_at', 'ended'],
  ['targets', 'narrowed'],
  ['renewed_at', 'renewed'],
] as const

/** What became of it. Whatever else changes with that needs no name. */
function alarmReason({ is_over }: Row, changes: Row): string | undefined {
  if (changes.state === 'open') return 'reopened'
  if (changes.state === 'closed') return 'closed'
  if (changes.snoozed_until != null) return 'snoozed'
  if (changes.state === 'acknowledged') return 'acknowledged'
  if (changes.is_over === undefined || changes.is_over === is_over) return undefined
  return changes.is_over === true ? 'ended' : 'reopened'
}

function fireReason(before: unknown, after: unknown): string | undefined {
  if (tells(before, 'since') !== tells(after, 'since')) return tells(after, 'since') ? 'fire' : 'fire_reset'
  if (tells(before, 'cleared_at') !== tells(after, 'cleared_at'))
    return tells(after, 'cleared_at') ? 'fire_cleared' : 'fire'
  return undefined
}

function tells(fire: unknown, name: string): boolean {
  return isRecord(fire) && fire[name] != null
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
