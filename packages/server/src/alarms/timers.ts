import type { Database } from '../database/db.ts'
import type { Condition } from './condition.ts'
import type { Flapping } from './flapping.ts'

/**
 * What is due for an alarm, or for a condition that is none yet:
 *
 * - `begin`: the condition has held for its delay
 * - `end`: a condition that nobody ends has been quiet for long enough
 * - `calm`: an alarm that came and went has been quiet for long enough
 * - `wake`: a snooze ends
 * - `explain`: the alarm that explained another one has been over for the delay of that one
 * - `arrive`: whether an emergency has arrived at its doors is looked at again
 * - `maintenance`: maintenance of a device or site has begun or ends
 * - `rule`: rules say something else of alarms of a type, and what waits for its delay is looked at again
 * - `stay`: a stay begins soon, and whether its doors know of it is looked at; by `services/access/tend-stays.ts`
 */
export type Timer = {
  /** The key of the condition, the id of an alarm, emergency, device or site, or a type. */
  readonly key: string
  readonly due_at: string
} & (
  | { readonly kind: 'begin'; readonly about: Condition }
  | { readonly kind: 'calm'; readonly about: Flapping }
  | {
      readonly kind: 'end' | 'wake' | 'explain' | 'arrive' | 'maintenance' | 'rule' | 'stay'
      readonly about: object
    }
)
export type TimerKind = Timer['kind']

const insert = `INSERT INTO alarm_timers (organization_id, kind, key, due_at, about)
  SELECT $1, kind, key, due_at, about FROM jsonb_to_recordset($2::jsonb) AS t(kind text, key text, due_at timestamptz, about jsonb)
  ORDER BY kind, key ON CONFLICT (organization_id, kind, key)`

/** Sets timers, in place of those of the same kind and key. Those that are set already stay as they are: an import sets each several times. */
export async function setTimers(
  db: Database,
  organizationId: string,
  timers: readonly Timer[],
): Promise<void> {
  if (timers.length > 0)
    await db.query(
      `${insert} DO UPDATE SET due_at = excluded.due_at, about = excluded.about
       WHERE (alarm_timers.due_at, alarm_timers.about) IS DISTINCT FROM (excluded.due_at, excluded.about)`,
      [organizationId, timers],
    )
}

/** Sets timers, unless there are some of the same kind and key. */
export async function keepTimers(
  db: Database,
  organizationId: string,
  timers: readonly Timer[],
): Promise<void> {
  if (timers.length > 0) await db.query(`${insert} DO NOTHING`, [organizationId, timers])
}

/** Has what waits for its delay looked at now, if it is of these types. */
export async function hurryWaiting(
  db: Database,
  organizationId: string,
  types: readonly string[],
  now: string,
): Promise<void> {
  if (types.length > 0)
    await db.query(
      `UPDATE alarm_timers SET due_at = $3 WHERE organization_id = $1 AND kind = 'begin' AND due_at > $3 AND about->>'type' = ANY($2::text[])`,
      [organizationId, types, now],
    )
}

/** Takes away what waits for its delay. Returns the conditions. */
export async function takeWaiting(
  db: Database,
  organizationId: string,
  keys: readonly string[],
): Promise<Condition[]> {
  if (keys.length === 0) return []
  const rows = await db.query<{ about: Condition }>(
    `DELETE FROM alarm_timers WHERE organization_id = $1 AND kind = 'begin' AND key = ANY($2::text[]) RETURNING about`,
    [organizationId, keys],
  )
  return rows.map(({ about }) => about)
}

export type CalmTimer = Extract<Timer, { kind: 'calm' }>

/** Takes away what is remembered of alarms that came and went, by their conditions. */
export function takeCalm(
  db: Database,
  organizationId: string,
  keys: readonly string[],
): Promise<CalmTimer[]> {
  return db.query<CalmTimer>(
    `DELETE FROM alarm_timers WHERE organization_id = $1 AND kind = 'calm' AND key = ANY($2::text[]) RETURNING kind, key, due_at, about`,
    [organizationId, keys],
  )
}

/** Returns when timers of a kind are due, by their keys. */
export async function findTimers(
  db: Database,
  organizationId: string,
  kind: TimerKind,
  keys: readonly string[],
): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map()
  const rows = await db.query<{ key: string; due_at: string }>(
    'SELECT key, due_at FROM alarm_timers WHERE organization_id = $1 AND kind = $2 AND key = ANY($3::text[])',
    [organizationId, kind, keys],
  )
  return new Map(rows.map(({ key, due_at }) => [key, due_at]))
}
