import type { AlarmType } from '@gatehouse-access/core'
import type { Database } from '../database/db.ts'
import { targeted } from '../doors/targeted.ts'
import { type Condition, conditionKey } from './condition.ts'
import type { Place } from './places.ts'

/** A condition, and one that explains it if that was on when it began. */
interface Suspicion {
  readonly condition_key: string
  readonly started_at: string
  readonly cause: Condition
}

const doors: readonly AlarmType[] = ['door_forced', 'door_held']

/**
 * Returns what may explain conditions: a gateway that is offline its attached devices, a device that is offline its
 * missing confirmations, and a fire or an evacuation the doors that are opened because of it.
 */
export async function findSuspicions(
  db: Database,
  organizationId: string,
  placed: readonly { readonly condition: Condition; readonly place: Place | undefined }[],
): Promise<Suspicion[]> {
  const ofDevices = placed.flatMap(({ condition, place }) => {
    const device = explainingDevice(condition, place)
    return device ? [suspect(condition, offline(device, condition))] : []
  })
  const atDoors = placed.map(({ condition }) => condition).filter(({ type }) => doors.includes(type))
  return atDoors.length === 0
    ? ofDevices
    : [...ofDevices, ...(await findEmergencies(db, organizationId, atDoors))]
}

function explainingDevice(
  { type, device_id }: Condition,
  place: Place | undefined,
): string | null | undefined {
  if (type === 'device_offline') return place?.gateway_device_id
  return type === 'sync_at_risk' ? device_id : undefined
}

function suspect({ condition_key, started_at }: Condition, cause: Condition): Suspicion {
  return { condition_key, started_at, cause }
}

function offline(device_id: string, { started_at }: Condition): Condition {
  const condition_key = conditionKey('device_offline', device_id)
  return { type: 'device_offline', condition_key, device_id, started_at }
}

async function findEmergencies(
  db: Database,
  organizationId: string,
  conditions: readonly Condition[],
): Promise<Suspicion[]> {
  const rows = await db.query<{
    condition_key: string
    id: string
    started_at: string
    is_drill: boolean
  }>(
    `SELECT c.condition_key, e.id, e.started_at, e.is_drill FROM jsonb_to_recordset($2::jsonb) AS c(condition_key text, gadget_id text, started_at timestamptz)
     JOIN emergencies e ON e.organization_id = $1 AND e.type = 'evacuation' AND e.started_at <= c.started_at AND coalesce(e.ended_at >= c.started_at, true)
     CROSS JOIN ${targeted} WHERE g.id = c.gadget_id
     UNION ALL SELECT c.condition_key, s.id, (s.fire->>'since')::timestamptz, false FROM jsonb_to_recordset($2::jsonb) AS c(condition_key text, gadget_id text, started_at timestamptz)
     JOIN gadgets g ON g.organization_id = $1 AND g.id = c.gadget_id
     JOIN sites s ON s.organization_id = $1 AND s.id = g.site_id AND (s.fire->>'since')::timestamptz <= c.started_at`,
    [organizationId, conditions],
  )
  const byKey = new Map(conditions.map(condition => [condition.condition_key, condition]))
  return rows.flatMap(({ condition_key, id, started_at, is_drill }) => {
    const condition = byKey.get(condition_key)
    return condition ? [suspect(condition, emergencyStarted(id, started_at, is_drill))] : []
  })
}

/** An emergency, or the fire of a site. */
export function emergencyStarted(id: string, started_at: string, is_drill: boolean): Condition {
  const subject = id.startsWith('em_') ? { emergency_id: id } : { site_id: id }
  const condition_key = conditionKey('emergency_started', id)
  return { type: 'emergency_started', condition_key, ...subject, started_at, is_drill }
}

/** Returns the alarms of causes that were on when what they explain began, by the key of that. */
export async function findCauses(
  db: Database,
  organizationId: string,
  suspicions: readonly Suspicion[],
): Promise<Map<string, string>> {
  if (suspicions.length === 0) return new Map()
  const asked = suspicions.map(({ condition_key, started_at, cause }) => ({
    condition_key,
    started_at,
    cause_key: cause.condition_key,
  }))
  const rows = await db.query<{ condition_key: string; id: string }>(
    `SELECT c.condition_key, a.id FROM jsonb_to_recordset($2::jsonb) AS c(condition_key text, cause_key text, started_at timestamptz)
     CROSS JOIN LATERAL (SELECT id, is_over, ended_at FROM alarms a WHERE a.organization_id = $1 AND a.condition_key = c.cause_key
       ORDER BY a.last_occurred_at DESC LIMIT 1) a WHERE NOT a.is_over OR a.ended_at >= c.started_at`,
    [organizationId, asked],
  )
  return new Map(rows.map(row => [row.condition_key, row.id]))
}
