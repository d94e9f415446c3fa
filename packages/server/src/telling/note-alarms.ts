import { alarmDelays } from '@gatehouse-access/core'
import type { Database } from '../database/db.ts'

/** An alarm that people may have to be told of. */
export interface Noted {
  readonly id: string
  readonly type: string
  readonly is_over: boolean
  readonly last_occurred_at: string
  readonly alarm_rule_ids: readonly string[]
}

/**
 * Queues alarms that have begun, or begun again, for the people whom their rules name: once the condition has held
 * for the delay of the rule. Needs the transaction that changes the alarms, so that none is forgotten.
 */
export async function noteBeginnings(
  db: Database,
  organizationId: string,
  alarms: readonly Noted[],
  now: string,
): Promise<void> {
  const taken = alarms.filter(({ alarm_rule_ids }) => alarm_rule_ids.length > 0)
  if (taken.length === 0) return
  const noted = taken.map(({ id, type, is_over, last_occurred_at, alarm_rule_ids }) => {
    return { id, type, is_over, last_occurred_at, alarm_rule_ids }
  })
  await db.query(
    `INSERT INTO alarm_tellings (organization_id, alarm_id, alarm_rule_id, due_at)
     SELECT $1, a.id, r.id, CASE WHEN a.is_over THEN $3::timestamptz ELSE greatest($3::timestamptz, a.last_occurred_at
       + make_interval(secs => coalesce(r.delay_seconds, ($4::jsonb->>a.type)::integer))) END
     FROM jsonb_to_recordset($2::jsonb) AS a(id text, type text, is_over boolean, last_occurred_at timestamptz, alarm_rule_ids text[])
     JOIN alarm_rules r ON r.organization_id = $1 AND r.id = ANY(a.alarm_rule_ids) ORDER BY a.id, r.id
     ON CONFLICT (organization_id, alarm_id, alarm_rule_id) DO UPDATE SET due_at = excluded.due_at, is_told = false,
       repeated_at = NULL, repeat_count = 0, escalation_count = 0`,
    [organizationId, noted, now, alarmDelays],
  )
}

/** Has alarms looked at that have ended: who was told of the beginning is told of the end. */
export async function noteEnds(
  db: Database,
  organizationId: string,
  ids: readonly string[],
  now: string,
): Promise<void> {
  if (ids.length === 0) return
  await db.query(
    `UPDATE alarm_tellings t SET due_at = $3 FROM (SELECT alarm_id, alarm_rule_id FROM alarm_tellings
       WHERE organization_id = $1 AND alarm_id = ANY($2::text[]) ORDER BY alarm_id, alarm_rule_id FOR UPDATE) known
     WHERE t.organization_id = $1 AND t.alarm_id = known.alarm_id AND t.alarm_rule_id = known.alarm_rule_id`,
    [organizationId, ids, now],
  )
}
