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
    AND NOT (coalesce(d.offline_since + make_interval(secs => e.offline_hold_seconds) <= $3::timestamptz, false) AND ${isLost}) THEN 'confirmed'
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

interface Counted {
  readonly id: string
  readonly ended_at: string | null
}

/** Counts the doors of emergencies. Those of one that has ended were counted then. */
export async function countDoors(
  db: Database,
  organization_id: string,
  emergencies: readonly Counted[],
  now: string,
): Promise<DoorCounts[]> {
  const idsOf = (some: readonly Counted[]) => some.map(({ id }) => id)
  const [active, over] = [
    idsOf(emergencies.filter(({ ended_at }) => ended_at === null)),
    idsOf(emergencies.filter(({ ended_at }) => ended_at !== null)),
  ]
  return [
    ...(active.length > 0 ? await countActive(db, organization_id, active, now) : []),
    ...(over.length > 0 ? await countOver(db, organization_id, over) : []),
  ]
}

/**
 * Grouped by state first, because PostgreSQL would find out the state of a door once for each count. The
 * subselect hides the ids, for which it would plan anew each time.
 */
function countActive(
  db: Database,
  organization_id: string,
  ids: readonly string[],
  now: string,
): Promise<DoorCounts[]> {
  return db.query<DoorCounts>(
    `SELECT id, coalesce(sum(doors) FILTER (WHERE state <> 'cannot_hold'), 0)::integer AS gadget_count,
       coalesce(sum(doors) FILTER (WHERE state = 'confirmed'), 0)::integer AS confirmed_gadget_count,
       coalesce(sum(doors) FILTER (WHERE state = 'cannot_hold'), 0)::integer AS cannot_gadget_count
     FROM (SELECT e.id, ${state} AS state, count(*) AS doors FROM ${doors}
       WHERE e.organization_id = $1 AND e.id = ANY((SELECT $2::text[])::text[]) GROUP BY 1, 2) counted GROUP BY id`,
    [organization_id, ids, now],
  )
}

function countOver(db: Database, organization_id: string, ids: readonly string[]): Promise<DoorCounts[]> {
  return db.query<DoorCounts>(
    `SELECT e.id, e.final_gadget_count AS gadget_count, e.final_cannot_count AS cannot_gadget_count,
       greatest(e.final_gadget_count - coalesce(held.doors, 0), 0)::integer AS confirmed_gadget_count
     FROM emergencies e LEFT JOIN (
       SELECT x.id, count(*) AS doors FROM door_modes m CROSS JOIN unnest(m.emergency_ids) AS x(id)
       WHERE m.organization_id = $1 AND m.emergency_ids && $2::text[] GROUP BY x.id) held ON held.id = e.id
     WHERE e.organization_id = $1 AND e.id = ANY($2::text[])`,
    [organization_id, ids],
  )
}
