import type { Resources, StoredOf } from '@gatehouse-access/api'
import type { Database } from '../database/db.ts'
import type { Flapping } from './flapping.ts'

/** An alarm as the engine needs it. */
export interface AlarmRow
  extends Pick<
    StoredOf<Resources['alarm']>,
    | 'id'
    | 'type'
    | 'severity'
    | 'state'
    | 'is_over'
    | 'ended_at'
    | 'site_id'
    | 'device_id'
    | 'gadget_id'
    | 'member_id'
    | 'emergency_id'
    | 'webhook_id'
    | 'calendar_id'
    | 'occurrence_count'
    | 'last_occurred_at'
    | 'is_flapping'
    | 'acknowledged_at'
    | 'acknowledged_by_user_id'
    | 'snoozed_until'
    | 'alarm_rule_ids'
    | 'cause_alarm_id'
    | 'is_late'
    | 'is_drill'
    | 'in_maintenance'
  > {
  readonly condition_key: string
  readonly closes_at: string | null
  /** Its last openings, if there were several of late. */
  readonly flapping: Flapping | null
}

const columns = `t.id, t.type, t.severity, t.state, t.is_over, t.ended_at, t.site_id, t.device_id, t.gadget_id, t.member_id,
  t.emergency_id, t.webhook_id, t.calendar_id, t.occurrence_count, t.last_occurred_at, t.is_flapping, t.acknowledged_at,
  t.acknowledged_by_user_id, t.snoozed_until, t.alarm_rule_ids, t.cause_alarm_id, t.is_late, t.is_drill, t.in_maintenance,
  t.condition_key, t.closes_at, f.about AS flapping`
const flapping = `LEFT JOIN alarm_timers f ON f.organization_id = t.organization_id AND f.kind = 'calm' AND f.key = t.condition_key`

/**
 * Returns the last alarm that each condition had, and locks it: the one that is not closed, if there is one. In two
 * statements, because the planner would compare all alarms with all keys.
 */
export async function holdLast(
  db: Database,
  organizationId: string,
  keys: readonly string[],
): Promise<Map<string, AlarmRow>> {
  if (keys.length === 0) return new Map()
  const last = await db.query<{ id: string }>(
    `SELECT last.id FROM unnest($2::text[]) AS k(condition_key) CROSS JOIN LATERAL (
       SELECT id FROM ((SELECT id, 0 AS place FROM alarms a
           WHERE a.organization_id = $1 AND a.condition_key = k.condition_key AND a.state <> 'closed' LIMIT 1)
         UNION ALL (SELECT id, 1 FROM alarms a WHERE a.organization_id = $1 AND a.condition_key = k.condition_key
           ORDER BY a.last_occurred_at DESC LIMIT 1)) known ORDER BY place LIMIT 1) last`,
    [organizationId, keys],
  )
  const rows = await holdAlarms(
    db,
    organizationId,
    last.map(({ id }) => id),
  )
  return new Map(rows.map(row => [row.condition_key, row]))
}

/** Returns alarms by their ids, and locks them. In one order, so that two who want several do not block each other. */
export async function holdAlarms(
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<AlarmRow[]> {
  if (ids.length === 0) return []
  return db.query<AlarmRow>(
    `SELECT ${columns} FROM alarms t ${flapping} WHERE t.organization_id = $1 AND t.id = ANY($2::text[])
     ORDER BY t.condition_key FOR UPDATE OF t`,
    [organizationId, ids],
  )
}

/** When the condition of an alarm ended, or null while it is on. One that flaps says that it is on until it is quiet. */
export function overSince({ ended_at, flapping, is_flapping }: AlarmRow): string | null {
  return is_flapping ? (flapping?.over_at ?? null) : ended_at
}
