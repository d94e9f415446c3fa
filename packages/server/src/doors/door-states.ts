import type { emergencyDoorStates } from '@gatehouse-access/api'
import type { Database } from '../database/db.ts'
import { targeted } from './targeted.ts'

export interface EmergencyDoor {
  readonly gadget_id: string
  readonly device_id: string
  readonly state: (typeof emergencyDoorStates)[number]
  readonly since: string | null
  readonly offline_since: string | null
  readonly holds_until: string | null
}

const follows = 'coalesce(e.id = ANY(m.emergency_ids), false)'
const isLost = `NOT coalesce((d.status->>'online')::boolean, false)`

/**
 * Whether the emergency, or its end, has arrived at a door: by what its device last reported. A device that was
 * lost goes on with it until its lease runs out, and then nobody knows. `$3` is the time of the service.
 */
const state = `CASE
  WHEN g.door IS NULL OR (g.door->>'hold_action_id' IS NULL AND (e.type = 'evacuation' OR g.id = ANY(e.unlocked_gadget_ids))) THEN 'cannot_hold'
  WHEN e.ended_at IS NOT NULL AND NOT ${follows} THEN 'confirmed'
  WHEN e.ended_at IS NULL AND ${follows} AND m.outcome = 'done'
    AND NOT (${isLost} AND coalesce(d.offline_since + make_interval(secs => e.offline_hold_seconds) <= $3::timestamptz, false)) THEN 'confirmed'
  WHEN ${isLost} THEN 'offline'
  WHEN m.outcome = 'failed' AND (${follows} OR e.ended_at IS NOT NULL) THEN 'failed'
  ELSE 'sent' END`

const doors = `emergencies e CROSS JOIN ${targeted}
  JOIN devices d ON d.organization_id = g.organization_id AND d.id = g.device_id
  LEFT JOIN door_modes m ON m.organization_id = g.organization_id AND m.gadget_id = g.id`

interface Asked {
  readonly organization_id: string
  readonly emergency_id: string
  readonly now: string
  readonly after: string
  readonly state: EmergencyDoor['state'] | undefined
  readonly limit: number
}

/** Returns the doors of an emergency in the order of their ids. */
export function findEmergencyDoors(db: Database, asked: Asked): Promise<EmergencyDoor[]> {
  return db.query<EmergencyDoor>(
    `SELECT gadget_id, device_id, state, offline_since,
       CASE state WHEN 'offline' THEN offline_since WHEN 'sent' THEN sent_at WHEN 'cannot_hold' THEN NULL ELSE reported_at END AS since,
       CASE WHEN state IN ('offline', 'sent', 'failed') AND ended_at IS NOT NULL THEN lease_end END AS holds_until
     FROM (SELECT g.id AS gadget_id, g.device_id, ${state} AS state, e.ended_at, m.reported_at,
         coalesce(e.ended_at, e.started_at) AS sent_at, CASE WHEN ${isLost} THEN d.offline_since END AS offline_since,
         e.renewed_at + make_interval(secs => e.offline_hold_seconds) AS lease_end
       FROM ${doors} WHERE e.organization_id = $1 AND e.id = $2 AND g.id > $4) found
     WHERE $5 = '' OR state = $5 ORDER BY gadget_id LIMIT $6`,
    [asked.organization_id, asked.emergency_id, asked.now, asked.after, asked.state ?? '', asked.limit],
  )
}

export interface DoorCounts {
  readonly id: string
  readonly gadget_count: number
  readonly confirmed_gadget_count: number
  readonly cannot_gadget_count: number
}

/** Counts the doors of emergencies. Those of one that has ended were counted then. */
export function countDoors(
  db: Database,
  organization_id: string,
  ids: readonly string[],
  now: string,
): Promise<DoorCounts[]> {
  return db.query<DoorCounts>(
    `SELECT id, count(*) FILTER (WHERE state <> 'cannot_hold')::integer AS gadget_count,
       count(*) FILTER (WHERE state = 'confirmed')::integer AS confirmed_gadget_count,
       count(*) FILTER (WHERE state = 'cannot_hold')::integer AS cannot_gadget_count
     FROM (SELECT e.id, ${state} AS state FROM ${doors}
       WHERE e.organization_id = $1 AND e.id = ANY($2::text[]) AND e.ended_at IS NULL) active GROUP BY id
     UNION ALL SELECT e.id, e.final_gadget_count,
       greatest(e.final_gadget_count - (SELECT count(*) FROM door_modes m WHERE m.organization_id = e.organization_id AND m.emergency_ids @> ARRAY[e.id]), 0)::integer,
       e.final_cannot_count FROM emergencies e WHERE e.organization_id = $1 AND e.id = ANY($2::text[]) AND e.ended_at IS NOT NULL`,
    [organization_id, ids, now],
  )
}
