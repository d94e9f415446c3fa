import { addSeconds } from '@gatehouse-access/core'
import type { Database } from '../database/db.ts'
import type { AlarmRow } from './alarm-row.ts'
import type { Author } from './condition.ts'

type Closing = Pick<
  AlarmRow,
  'id' | 'state' | 'is_over' | 'ended_at' | 'acknowledged_at' | 'snoozed_until' | 'alarm_rule_ids'
>

/**
 * Returns when those of the alarms close by themselves that somebody has taken and that are over: after the longest
 * time that their rules say, and not while they are snoozed.
 */
export async function closeTimes(
  db: Database,
  { caller }: Author,
  rows: readonly Closing[],
): Promise<Map<string, string>> {
  const taken = rows.filter(({ is_over, state }) => state === 'acknowledged' && is_over)
  if (taken.length === 0) return new Map()
  const ids = [...new Set(taken.flatMap(({ alarm_rule_ids }) => alarm_rule_ids))]
  const rules = await db.query<{ id: string; auto_close_seconds: number }>(
    'SELECT id, auto_close_seconds FROM alarm_rules WHERE organization_id = $1 AND id = ANY($2::text[]) AND NOT is_deleted',
    [caller.organization_id, ids],
  )
  const seconds = new Map(rules.map(rule => [rule.id, rule.auto_close_seconds]))
  return new Map(taken.map(row => [row.id, closeTime(row, seconds)]))
}

function closeTime(
  { acknowledged_at, alarm_rule_ids, ended_at, snoozed_until }: Closing,
  seconds: ReadonlyMap<string, number>,
): string {
  const longest = Math.max(0, ...alarm_rule_ids.map(id => seconds.get(id) ?? 0))
  const settled = [acknowledged_at ?? '', ended_at ?? ''].sort().at(-1) ?? ''
  const closes = addSeconds(settled, longest)
  return (snoozed_until ?? '') > closes ? (snoozed_until ?? '') : closes
}
