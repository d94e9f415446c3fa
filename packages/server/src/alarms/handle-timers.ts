import type { Database } from '../database/db.ts'
import { holdAlarms, holdLast } from './alarm-row.ts'
import { checkArrivals } from './arrivals.ts'
import { beginDue } from './begin-due.ts'
import type { Author } from './condition.ts'
import { endAlarms, markOver } from './end-alarms.ts'
import { followMaintenance } from './follow-maintenance.ts'
import { type Changed, updateAlarms } from './store-alarms.ts'
import { type CalmTimer, hurryWaiting, type Timer, type TimerKind, takeCalm } from './timers.ts'

/** Does what timers of one organization are for. */
export async function handleTimers(db: Database, author: Author, timers: readonly Timer[]): Promise<void> {
  const keys = (kind: TimerKind) => timers.filter(timer => timer.kind === kind).map(({ key }) => key)
  await beginDue(
    db,
    author,
    timers.flatMap(timer => (timer.kind === 'begin' ? [timer.about] : [])),
  )
  await endAlarms(
    db,
    author,
    timers.flatMap(({ due_at, key, kind }) =>
      kind === 'end' ? [{ condition_key: key, ended_at: due_at }] : [],
    ),
  )
  await calm(
    db,
    author,
    timers.filter(timer => timer.kind === 'calm'),
  )
  await wake(db, author, keys('wake'))
  await explain(db, author, keys('explain'))
  await checkArrivals(db, author, keys('arrive'))
  await followMaintenance(db, author, keys('maintenance'))
  await hurryWaiting(db, author.caller.organization_id, keys('rule'), author.now)
}

/** What no longer flaps is over, or simply on. */
async function calm(db: Database, author: Author, timers: readonly CalmTimer[]): Promise<void> {
  if (timers.length === 0) return
  const keys = timers.map(({ key }) => key)
  const rows = await holdLast(db, author.caller.organization_id, keys)
  const quiet = timers.flatMap(({ key, about }) => {
    const row = rows.get(key)
    return row?.is_flapping ? [{ row, over_at: about.over_at }] : []
  })
  const over = quiet.flatMap(({ row, over_at }) => (over_at ? [{ row, ended_at: over_at }] : []))
  const on = quiet.filter(({ over_at }) => !over_at)
  await markOver(db, author, over)
  await updateAlarms(
    db,
    author,
    on.map(({ row }): Changed => ({ row: { ...row, is_flapping: false }, reason: 'settled' })),
  )
}

/** Somebody closes an alarm that flaps: what comes next is news, and nothing waits for it to be quiet. */
export async function calmNow(db: Database, author: Author, alarmId: string): Promise<void> {
  const { organization_id } = author.caller
  const rows = await holdAlarms(db, organization_id, [alarmId])
  await calm(
    db,
    author,
    await takeCalm(
      db,
      organization_id,
      rows.map(({ condition_key }) => condition_key),
    ),
  )
}

/** A snooze has ended: who is concerned hears of it again if it goes on. */
async function wake(db: Database, author: Author, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const rows = await holdAlarms(db, author.caller.organization_id, ids)
  const due = rows.filter(
    ({ snoozed_until, state }) =>
      state === 'acknowledged' && snoozed_until !== null && snoozed_until <= author.now,
  )
  const changed = due.map((row): Changed => {
    if (row.is_over) return { row: { ...row, snoozed_until: null }, reason: undefined }
    const nobody = { acknowledged_at: null, acknowledged_by_user_id: null, snoozed_until: null }
    return { row: { ...row, ...nobody, state: 'open' }, reason: 'reopened' }
  })
  await updateAlarms(db, author, changed)
}

/** What explained an alarm is over, and the alarm goes on: now it stands for itself. */
async function explain(db: Database, author: Author, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const { organization_id } = author.caller
  const rows = await holdAlarms(db, organization_id, ids)
  const causes = rows.flatMap(({ cause_alarm_id }) => cause_alarm_id ?? [])
  const over = await db.query<{ id: string }>(
    'SELECT id FROM alarms WHERE organization_id = $1 AND id = ANY($2::text[]) AND is_over',
    [organization_id, causes],
  )
  const ended = new Set(over.map(({ id }) => id))
  const alone = rows.filter(
    ({ cause_alarm_id, is_over, state }) =>
      !is_over && state !== 'closed' && cause_alarm_id !== null && ended.has(cause_alarm_id),
  )
  await updateAlarms(
    db,
    author,
    alone.map((row): Changed => ({ row: { ...row, cause_alarm_id: null }, reason: 'unexplained' })),
  )
}
