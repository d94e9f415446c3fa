import { alarmDelays } from '@gatehouse-access/core'
import type { Database } from '../database/db.ts'
import { type AlarmRow, holdLast, overSince } from './alarm-row.ts'
import { closeTimes } from './close-times.ts'
import { type Author, apart, type End } from './condition.ts'
import { quietAt } from './flapping.ts'
import { calmTimer } from './reopen.ts'
import { type Changed, updateAlarms } from './store-alarms.ts'
import { setTimers, type Timer } from './timers.ts'

/** Tells that a condition has ended. Telling it again changes nothing. Needs a transaction. */
export function endAlarm(
  db: Database,
  author: Author,
  condition_key: string,
  ended_at: string,
): Promise<void> {
  return endAlarms(db, author, [{ condition_key, ended_at }])
}

/** The same for many of one organization, which takes as many statements as for one. */
export async function endAlarms(db: Database, author: Author, ends: readonly End[]): Promise<void> {
  for (const part of apart(ends)) await endPart(db, author, part)
}

async function endPart(db: Database, author: Author, ends: readonly End[]): Promise<void> {
  const { organization_id } = author.caller
  const keys = ends.map(({ condition_key }) => condition_key)
  const last = await holdLast(db, organization_id, keys)
  const on = ends.flatMap(({ condition_key, ended_at }) => {
    const row = last.get(condition_key)
    return row && isOn(row, ended_at) ? [{ row, ended_at }] : []
  })
  const { flapping = [], over = [] } = Object.groupBy(on, ({ row, ended_at }) =>
    stillFlaps(row, ended_at, author.now) ? 'flapping' : 'over',
  )
  await setTimers(
    db,
    organization_id,
    flapping.flatMap(({ row, ended_at }) => flapTimer(row, ended_at)),
  )
  await markOver(db, author, over)
}

/** What a controller reports afterwards may have been quiet for long by now. */
function stillFlaps({ flapping, is_flapping }: AlarmRow, over_at: string, now: string): boolean {
  return is_flapping && (!flapping || quietAt({ ...flapping, over_at }) > now)
}

/** An end of before its last beginning is old news. */
function isOn(row: AlarmRow, endedAt: string): boolean {
  return overSince(row) === null && endedAt >= row.last_occurred_at
}

/** One that flaps says that it is on until it has been quiet: only its timer knows better. */
function flapTimer({ condition_key, flapping, is_flapping }: AlarmRow, over_at: string): Timer[] {
  return is_flapping && flapping ? [calmTimer(condition_key, { ...flapping, over_at })] : []
}

export async function markOver(
  db: Database,
  author: Author,
  over: readonly { readonly row: AlarmRow; readonly ended_at: string }[],
): Promise<void> {
  if (over.length === 0) return
  const rows = over.map(({ row, ended_at }) => ({ ...row, is_flapping: false, is_over: true, ended_at }))
  const closing = await closeTimes(db, author, rows)
  const changed = rows.map(
    (row): Changed => ({ row: { ...row, closes_at: closing.get(row.id) ?? null }, reason: 'ended' }),
  )
  await updateAlarms(db, author, changed)
  await unexplain(
    db,
    author,
    rows.map(({ id }) => id),
  )
}

/** What alarms explained, and still is, stands for itself once it has lasted for its own delay. */
async function unexplain(db: Database, { caller }: Author, ended: readonly string[]): Promise<void> {
  await db.query(
    `INSERT INTO alarm_timers (organization_id, kind, key, due_at, about)
     SELECT a.organization_id, 'explain', a.id, c.ended_at + make_interval(secs => coalesce(
       (SELECT min(coalesce(r.delay_seconds, ($3::jsonb->>a.type)::integer)) FROM alarm_rules r WHERE r.organization_id = $1 AND r.id = ANY(a.alarm_rule_ids)),
       ($3::jsonb->>a.type)::integer)), '{}'
     FROM alarms a JOIN alarms c ON c.organization_id = $1 AND c.id = a.cause_alarm_id
     WHERE a.organization_id = $1 AND NOT a.is_deleted AND a.cause_alarm_id = ANY($2::text[]) AND NOT a.is_over AND a.state <> 'closed'
     ON CONFLICT (organization_id, kind, key) DO UPDATE SET due_at = excluded.due_at`,
    [caller.organization_id, ended, alarmDelays],
  )
}
