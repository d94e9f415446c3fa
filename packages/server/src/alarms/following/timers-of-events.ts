import type { Database } from '../../database/db.ts'
import type { StoredEvent } from '../../events/feed-event.ts'
import type { Author } from '../condition.ts'
import { setTimers } from '../timers.ts'

/** Looks soon whether emergencies have arrived at their doors. */
export async function watchEmergencies(
  db: Database,
  { caller, now }: Author,
  events: readonly StoredEvent[],
): Promise<void> {
  const started = events.filter(({ object, verb }) => object.type === 'emergency' && verb === 'create')
  const ids = new Set(started.flatMap(({ object }) => object.emergency_id ?? []))
  await setTimers(
    db,
    caller.organization_id,
    [...ids].map(key => ({ kind: 'arrive', key, due_at: now, about: {} })),
  )
}

/** Wakes alarms when their snooze ends. */
export async function followSnoozes(
  db: Database,
  { caller }: Author,
  events: readonly StoredEvent[],
): Promise<void> {
  const snoozed = events.filter(({ object }) => object.type === 'alarm' && object.reason === 'snoozed')
  const ids = snoozed.flatMap(({ object }) => object.alarm_id ?? [])
  if (ids.length === 0) return
  const rows = await db.query<{ key: string; due_at: string }>(
    'SELECT id AS key, snoozed_until AS due_at FROM alarms WHERE organization_id = $1 AND id = ANY($2::text[]) AND snoozed_until IS NOT NULL',
    [caller.organization_id, ids],
  )
  await setTimers(
    db,
    caller.organization_id,
    rows.map(row => ({ kind: 'wake', ...row, about: {} })),
  )
}
