import type { Database } from '../../database/db.ts'
import { followTurns, type Turn } from '../begin-conditions.ts'
import { type Author, type Condition, conditionKey } from '../condition.ts'
import { isAlmostEmpty, isLow, lowPercent, severityOfBattery } from '../holds.ts'
import { openAlarm } from '../open-alarms.ts'
import type { Status } from '../places.ts'
import { findRuled } from '../ruled.ts'

/** What a device reported of its power, and what was known before. */
export interface Reported {
  readonly device_id: string
  readonly before: Status
  readonly after: Status
}

/** Finds devices without mains and with low batteries. Needs a transaction. */
export async function followStatus(db: Database, author: Author, reported: Reported): Promise<void> {
  await followTurns(db, author, powerTurn(reported, author.now))
  const { after, before } = reported
  const isOther =
    after.battery_percent !== before.battery_percent || after.battery_present !== before.battery_present
  if (isOther) await followBattery(db, author, reported)
}

/** A device that never had mains has not lost it. */
function powerTurn({ after, before, device_id }: Reported, now: string): Turn[] {
  if (before.mains_present === after.mains_present) return []
  const type = 'device_power_lost'
  const condition_key = conditionKey(type, device_id)
  return after.mains_present
    ? [{ turn: 'end', condition_key, ended_at: now }]
    : [{ turn: 'begin', type, condition_key, device_id, started_at: now }]
}

async function followBattery(
  db: Database,
  author: Author,
  { after, before, device_id }: Reported,
): Promise<void> {
  const type = 'device_battery_low'
  const condition: Condition = {
    type,
    condition_key: conditionKey(type, device_id),
    device_id,
    started_at: author.now,
    ...severityOfBattery(after),
  }
  const percent = await findPercent(db, author, condition)
  if (isLow(after, percent)) {
    if (!isLow(before, percent)) await followTurns(db, author, [{ turn: 'begin', ...condition }])
    // Worse than what was told, or than what waits: that is told at once.
    else if (isAlmostEmpty(after) && !isAlmostEmpty(before)) await openAlarm(db, author, condition)
  } else if (isLow(before, percent)) {
    const { condition_key } = condition
    await followTurns(db, author, [{ turn: 'end', condition_key, ended_at: author.now }])
  }
}

async function findPercent(db: Database, author: Author, condition: Condition): Promise<number> {
  const [ruled] = await findRuled(db, author, [condition])
  return lowPercent(ruled?.rules ?? [])
}
