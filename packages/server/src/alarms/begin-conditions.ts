import { type AlarmType, addSeconds } from '@gatehouse-access/core'
import type { Database } from '../database/db.ts'
import { type Author, apart, type Condition, type End } from './condition.ts'
import { endAlarms } from './end-alarms.ts'
import { openRuled } from './open-alarms.ts'
import { findRuled, type Ruled } from './ruled.ts'
import { keepTimers, type Timer, takeWaiting } from './timers.ts'

/** Something that begins or ends. */
export type Turn = ({ readonly turn: 'begin' } & Condition) | ({ readonly turn: 'end' } & End)

/** Follows what begins and ends in one organization, in order. Needs a transaction. */
export async function followTurns(db: Database, author: Author, turns: readonly Turn[]): Promise<void> {
  for (const part of apart(turns)) {
    await beginConditions(
      db,
      author,
      part.flatMap(turn => (turn.turn === 'begin' ? [conditionIn(turn)] : [])),
    )
    await endConditions(
      db,
      author,
      part.flatMap(turn => (turn.turn === 'end' ? [turn] : [])),
    )
  }
}

function conditionIn({ turn: _, ...condition }: Extract<Turn, { turn: 'begin' }>): Condition {
  return condition
}

/** Tells that conditions have begun that are alarms once they have held for their delay. Needs a transaction. */
export async function beginConditions(
  db: Database,
  author: Author,
  conditions: readonly Condition[],
): Promise<void> {
  const waiting: Timer[] = []
  const ready: Ruled[] = []
  for (const ruled of await findRuled(db, author, conditions)) {
    const { condition, delay } = ruled
    const { condition_key: key, started_at, type } = condition
    if (delay === 0 && !isOfPresence(type)) ready.push(ruled)
    else waiting.push({ kind: 'begin', key, due_at: addSeconds(started_at, delay), about: condition })
  }
  await keepTimers(db, author.caller.organization_id, waiting)
  await openRuled(db, author, ready)
}

/** Whether a device counts as offline is known only when it is due, see `PresenceWatch`. */
function isOfPresence(type: AlarmType): boolean {
  return type === 'device_offline'
}

/** Tells that conditions have ended, also those that are no alarms yet. Needs a transaction. */
export async function endConditions(db: Database, author: Author, ends: readonly End[]): Promise<void> {
  if (ends.length === 0) return
  await openHeld(db, author, ends)
  await endAlarms(db, author, ends)
}

/**
 * What had held for its delay before it ended is an alarm all the same, though nobody has looked in between: a
 * controller that was offline reports both at once, hours later.
 */
async function openHeld(db: Database, author: Author, ends: readonly End[]): Promise<void> {
  const endOf = new Map(ends.map(({ condition_key, ended_at }) => [condition_key, ended_at]))
  const waited = await takeWaiting(db, author.caller.organization_id, [...endOf.keys()])
  const conditions = waited.filter(({ type }) => !isOfPresence(type))
  const held = (await findRuled(db, author, conditions)).filter(({ condition, delay, place }) => {
    const { condition_key, started_at } = condition
    return !place?.is_deleted && (endOf.get(condition_key) ?? '') >= addSeconds(started_at, delay)
  })
  await openRuled(db, author, held)
}
