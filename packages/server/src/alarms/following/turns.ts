import type { AlarmType } from '@gatehouse-access/core'
import type { StoredEvent } from '../../events/feed-event.ts'
import type { Turn } from '../begin-conditions.ts'
import { emergencyStarted } from '../causes.ts'
import { type Condition, conditionKey, isLate } from '../condition.ts'

/** Returns what an event by itself says to begin or to end. */
export function turnOf(event: StoredEvent): Turn[] {
  const { created_at, object, verb } = event
  if (object.type === 'device' && verb === 'edit') return deviceTurn(event)
  if (object.type === 'site' && verb === 'edit') return fireTurn(event)
  const { emergency_id, reason } = object
  if (object.type !== 'emergency' || !emergency_id) return []
  if (verb === 'create')
    return [{ turn: 'begin', ...emergencyStarted(emergency_id, created_at, object.is_drill === true) }]
  return reason === 'ended'
    ? [
        end('emergency_started', emergency_id, created_at),
        end('emergency_not_arrived', emergency_id, created_at),
      ]
    : []
}

function deviceTurn({ created_at, object, recorded_at }: StoredEvent): Turn[] {
  const { device_id, reason, site_id } = object
  if (!device_id) return []
  const about = { device_id, site_id: site_id ?? null, is_late: isLate(created_at, recorded_at) }
  if (reason === 'offline') return [begin('device_offline', device_id, created_at, about)]
  if (reason === 'online') return [end('device_offline', device_id, created_at)]
  if (reason === 'events_lost')
    return [begin('device_events_lost', device_id, created_at, { ...about, ended_at: created_at })]
  return []
}

/** A fire is an emergency, until somebody resets it. */
function fireTurn({ created_at, object: { reason, site_id } }: StoredEvent): Turn[] {
  if (!site_id) return []
  if (reason === 'fire') return [{ turn: 'begin', ...emergencyStarted(site_id, created_at, false) }]
  return reason === 'fire_reset' ? [end('emergency_started', site_id, created_at)] : []
}

function begin(type: AlarmType, id: string, started_at: string, about: Partial<Condition>): Turn {
  return { turn: 'begin', type, condition_key: conditionKey(type, id), started_at, ...about }
}

function end(type: AlarmType, id: string, ended_at: string): Turn {
  return { turn: 'end', condition_key: conditionKey(type, id), ended_at }
}
