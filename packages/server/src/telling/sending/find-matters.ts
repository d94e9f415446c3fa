import { type AlarmType, alarmTypes, type ScheduleTimes } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import type { Telling, TellingRule, ToldOf } from '../matter.ts'

/** An alarm and a rule that are due, as they are now. */
export interface MatterRow extends Telling, ToldOf {
  readonly due_at: string
  readonly alarm_id: string
  readonly alarm_rule_id: string
  readonly type: AlarmType
  readonly site_id: string | null
  readonly schedule_id: string | null
  readonly schedule: (ScheduleTimes & { readonly is_deleted: boolean }) | null
  readonly timezone: string | null
  readonly calendar_ids: readonly string[] | null
  readonly rule: (Omit<TellingRule, 'delay_seconds'> & { readonly delay_seconds: number | null }) | null
}

/**
 * Takes what is due of an organization, as far as no other process holds it. The alarms are locked too, and so are as
 * new as what is known of their telling: one that is just changing is looked at afterwards. Whoever changes alarms locks
 * them before their tellings. This does not, but it waits for nobody, so neither waits for the other forever.
 */
export function takeMatters(
  db: Database,
  organizationId: string,
  now: string,
  most: number,
): Promise<MatterRow[]> {
  return db.query<MatterRow>(
    `SELECT t.alarm_id, t.alarm_rule_id, t.due_at, t.is_told, t.told_at, t.told_since, t.repeated_at, t.repeat_count, t.escalation_count,
       a.type, a.severity, a.state, a.is_over, a.ended_at, a.last_occurred_at, a.is_late, a.in_maintenance, a.cause_alarm_id, a.site_id,
       r.schedule_id, s.timezone, s.calendar_ids,
       CASE WHEN r.id IS NOT NULL AND c.id IS NOT NULL THEN jsonb_build_object('weekdays', c.weekdays, 'special_days', c.special_days,
         'exceptions', c.exceptions, 'is_deleted', c.is_deleted) END AS schedule,
       CASE WHEN r.id IS NOT NULL THEN jsonb_build_object('delay_seconds', r.delay_seconds, 'notify', r.notify,
         'repeat_seconds', r.repeat_seconds, 'escalate', r.escalate) END AS rule
     FROM alarm_tellings t JOIN alarms a ON a.organization_id = $1 AND a.id = t.alarm_id
     LEFT JOIN alarm_rules r ON r.organization_id = $1 AND r.id = t.alarm_rule_id AND r.is_enabled AND NOT r.is_deleted
     LEFT JOIN schedules c ON c.organization_id = $1 AND c.id = r.schedule_id
     LEFT JOIN sites s ON s.organization_id = $1 AND s.id = a.site_id
     WHERE t.organization_id = $1 AND t.due_at <= $2 ORDER BY t.due_at, t.alarm_id, t.alarm_rule_id LIMIT $3 FOR UPDATE OF t, a SKIP LOCKED`,
    [organizationId, now, most],
  )
}

export function ruleOf({ rule, type }: MatterRow): TellingRule | undefined {
  return rule ? { ...rule, delay_seconds: rule.delay_seconds ?? alarmTypes[type].delay_seconds } : undefined
}
