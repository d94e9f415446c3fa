import type { Database } from '../database/db.ts'
import { newId } from '../store/ids.ts'
import { type AlarmRow, holdLast } from './alarm-row.ts'
import { closeTimes } from './close-times.ts'
import { type Author, apart, type Condition } from './condition.ts'
import { judge } from './judge.ts'
import { reopened, timerOf } from './reopen.ts'
import { findRuled, type Ruled } from './ruled.ts'
import { rankOf } from './rules.ts'
import { type Settled, settle } from './settle.ts'
import { type Changed, insertAlarms, type NewAlarm, updateAlarms } from './store-alarms.ts'
import { setTimers } from './timers.ts'

/**
 * Tells that a condition has begun. It becomes an alarm, or another occurrence of the alarm that it had. Telling the
 * same again changes nothing. Needs a transaction.
 */
export function openAlarm(db: Database, author: Author, condition: Condition): Promise<void> {
  return openAlarms(db, author, [condition])
}

/** The same for many of one organization, which takes as many statements as for one. */
export async function openAlarms(
  db: Database,
  author: Author,
  conditions: readonly Condition[],
): Promise<void> {
  await openAll(conditions, some =>
    tryToOpen(db, author, some, concerned => findRuled(db, author, concerned)),
  )
}

/** The same if the caller has just found what the rules say of them. */
export async function openRuled(db: Database, author: Author, ruled: readonly Ruled[]): Promise<void> {
  const known = new Map(ruled.map(one => [one.condition, one]))
  await openAll(
    ruled.map(({ condition }) => condition),
    some => tryToOpen(db, author, some, async concerned => concerned.flatMap(one => known.get(one) ?? [])),
  )
}

/** `tryTo` returns those that somebody else is just storing. */
async function openAll(
  conditions: readonly Condition[],
  tryTo: (some: readonly Condition[]) => Promise<readonly Condition[]>,
): Promise<void> {
  for (const part of apart(conditions)) {
    let left: readonly Condition[] = part
    for (let tries = 0; left.length > 0; tries++) {
      if (tries === mostTries) throw new Error(`alarms of ${left[0]?.condition_key} come and go`)
      left = await tryTo(left)
    }
  }
}

/** Another process may store the same alarm at the same time. It is there the next time. */
const mostTries = 5

/** Returns those that somebody else is just storing. */
async function tryToOpen(
  db: Database,
  author: Author,
  conditions: readonly Condition[],
  rule: (concerned: readonly Condition[]) => Promise<readonly Ruled[]>,
): Promise<Condition[]> {
  const keys = conditions.map(({ condition_key }) => condition_key)
  const last = await holdLast(db, author.caller.organization_id, keys)
  const concerned = conditions.filter(condition =>
    changesAnything(last.get(condition.condition_key), condition),
  )
  if (concerned.length === 0) return []
  const settled = await settle(db, author, await rule(concerned), causes => openAlarms(db, author, causes))
  const known = settled.flatMap(one => {
    const row = last.get(one.condition.condition_key)
    return row && judge(row, one.condition) !== 'create' ? [{ row, settled: one }] : []
  })
  await changeKnown(db, author, known)
  const fresh = settled.filter(
    ({ condition, is_wanted }) =>
      is_wanted && judge(last.get(condition.condition_key), condition) === 'create',
  )
  const stored = await insertAlarms(
    db,
    author,
    fresh.map(one => newRow(author, one)),
  )
  return fresh.map(({ condition }) => condition).filter(({ condition_key }) => !stored.has(condition_key))
}

function changesAnything(last: AlarmRow | undefined, condition: Condition): boolean {
  if (judge(last, condition) !== 'nothing') return true
  // It may be worse than it was.
  return condition.severity !== undefined && last?.is_over === false && last.state !== 'closed'
}

interface Known {
  readonly row: AlarmRow
  readonly settled: Settled
}

async function changeKnown(db: Database, author: Author, known: readonly Known[]): Promise<void> {
  const again = known.filter(({ row, settled }) => judge(row, settled.condition) === 'reopen')
  const turned = await withCloseTimes(
    db,
    author,
    again.map(({ row, settled }) => reopened(row, settled)),
  )
  await setTimers(
    db,
    author.caller.organization_id,
    turned.flatMap(({ row }) => timerOf(row)),
  )
  const raised = known
    .filter(({ row, settled }) => judge(row, settled.condition) === 'nothing')
    .flatMap(raise)
  await updateAlarms(db, author, [...turned, ...raised])
}

/** Something of a moment may be over already when it is known that somebody has it. */
async function withCloseTimes(db: Database, author: Author, turned: readonly Changed[]): Promise<Changed[]> {
  const times = await closeTimes(
    db,
    author,
    turned.map(({ row }) => row),
  )
  return turned.map(({ row, reason }) => ({ row: { ...row, closes_at: times.get(row.id) ?? null }, reason }))
}

/** Who took it took something lesser. */
function raise({ row, settled: { severity } }: Known): Changed[] {
  if (rankOf(severity) <= rankOf(row.severity)) return []
  const nobody = { acknowledged_at: null, acknowledged_by_user_id: null, snoozed_until: null }
  return [{ row: { ...row, ...nobody, severity, state: 'open', closes_at: null }, reason: 'raised' }]
}

function newRow(
  { caller, now }: Author,
  { condition, place, severity, alarm_rule_ids, cause_alarm_id }: Settled,
): NewAlarm {
  const { type, condition_key, started_at, ended_at = null } = condition
  return {
    id: newId('alarm', now),
    organization_id: caller.organization_id,
    type,
    severity,
    state: 'open',
    is_over: ended_at !== null,
    ended_at,
    site_id: place?.site_id ?? null,
    device_id: place?.device_id ?? null,
    gadget_id: condition.gadget_id ?? null,
    member_id: condition.member_id ?? null,
    emergency_id: condition.emergency_id ?? null,
    webhook_id: condition.webhook_id ?? null,
    calendar_id: condition.calendar_id ?? null,
    started_at,
    occurrence_count: 1,
    last_occurred_at: started_at,
    is_flapping: false,
    acknowledged_at: null,
    acknowledged_by_user_id: null,
    snoozed_until: null,
    note: null,
    alarm_rule_ids,
    cause_alarm_id,
    is_late: condition.is_late ?? false,
    is_drill: condition.is_drill ?? false,
    in_maintenance: place?.in_maintenance ?? false,
    condition_key,
    closes_at: null,
    is_deleted: false,
    created_at: now,
    metadata: {},
  }
}
