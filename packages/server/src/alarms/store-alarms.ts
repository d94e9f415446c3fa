import { type NewOf, type Resources, resources } from '@gatehouse-access/api'
import type { Database, Row } from '../database/db.ts'
import { tellChanges } from '../store/edits/changes.ts'
import { logEvents } from '../store/event-log.ts'
import { draftOf } from '../store/write.ts'
import { noteBeginnings, noteEnds } from '../telling/note-alarms.ts'
import type { AlarmRow } from './alarm-row.ts'
import type { Author } from './condition.ts'

/** What happened to an alarm, as its event tells it. */
export type Reason = 'ended' | 'closed' | 'reopened' | 'raised' | 'settled' | 'unexplained' | 'moved'

/** An alarm as it is from now on. Without a reason there is no event: of one that flaps, each turn would be one. */
export interface Changed {
  readonly row: AlarmRow
  readonly reason: Reason | undefined
}

export type NewAlarm = NewOf<Resources['alarm']> & { readonly condition_key: string }

/**
 * Together with `store/write.ts`, the only way to write to alarms: many rows at once, with their events, in the
 * transaction of the caller. Everything that begins, ends or changes an alarm by itself passes here, so this is also
 * where those who are told of it are queued, in the same transaction.
 *
 * Returns the keys of those that are new: of two who store the same condition at once, one does.
 */
export async function insertAlarms(
  db: Database,
  author: Author,
  rows: readonly NewAlarm[],
): Promise<Set<string>> {
  if (rows.length === 0) return new Set()
  // By key: two who store the same alarms then wait for each other in one direction only.
  const sorted = rows.toSorted((one, other) => (one.condition_key < other.condition_key ? -1 : 1))
  const stored = await db.query<{ condition_key: string }>(
    `INSERT INTO alarms SELECT * FROM jsonb_populate_recordset(NULL::alarms, $1::jsonb)
     ON CONFLICT DO NOTHING RETURNING condition_key`,
    [sorted],
  )
  const keys = new Set(stored.map(row => row.condition_key))
  const fresh = rows.filter(row => keys.has(row.condition_key))
  await noteBeginnings(db, author.caller.organization_id, fresh, author.now)
  await logEvents(
    db,
    fresh.map(row => draft(author, 'create', row)),
  )
  return keys
}

/** Stores alarms that the caller has locked. */
export async function updateAlarms(db: Database, author: Author, changed: readonly Changed[]): Promise<void> {
  if (changed.length === 0) return
  const before = await db.query<Told>(
    `UPDATE alarms t SET site_id = f.site_id, severity = f.severity, state = f.state, is_over = f.is_over, ended_at = f.ended_at,
       occurrence_count = f.occurrence_count, last_occurred_at = f.last_occurred_at, is_flapping = f.is_flapping,
       acknowledged_at = f.acknowledged_at, acknowledged_by_user_id = f.acknowledged_by_user_id, snoozed_until = f.snoozed_until,
       alarm_rule_ids = f.alarm_rule_ids, cause_alarm_id = f.cause_alarm_id, is_late = f.is_late, in_maintenance = f.in_maintenance,
       closes_at = f.closes_at
     FROM jsonb_populate_recordset(NULL::alarms, $2::jsonb) f JOIN alarms o ON o.organization_id = $1 AND o.id = f.id
     WHERE t.organization_id = $1 AND t.id = f.id
     RETURNING o.id, o.severity, o.state, o.is_over, o.ended_at, o.acknowledged_at, o.acknowledged_by_user_id, o.snoozed_until,
       o.cause_alarm_id, o.in_maintenance`,
    [author.caller.organization_id, changed.map(({ row }) => row)],
  )
  await note(db, author, changed)
  const held = new Map(before.map(row => [row.id, row]))
  const drafts = changed.flatMap(({ row, reason }) =>
    reason ? [edited(author, row, reason, held.get(row.id))] : [],
  )
  await logEvents(db, drafts)
}

/** What people are told of anew. */
const anew: ReadonlySet<Reason | undefined> = new Set<Reason>(['reopened', 'raised', 'unexplained'])

async function note(db: Database, { caller, now }: Author, changed: readonly Changed[]): Promise<void> {
  const begun = changed.filter(({ reason }) => anew.has(reason)).map(({ row }) => row)
  const ended = changed.filter(({ reason }) => reason === 'ended').map(({ row }) => row.id)
  await noteBeginnings(db, caller.organization_id, begun, now)
  await noteEnds(db, caller.organization_id, ended, now)
}

/** What an event tells the changes of. How often something occurred is told by the alarm. */
type Told = Pick<
  AlarmRow,
  | 'id'
  | 'severity'
  | 'state'
  | 'is_over'
  | 'ended_at'
  | 'acknowledged_at'
  | 'acknowledged_by_user_id'
  | 'snoozed_until'
  | 'cause_alarm_id'
  | 'in_maintenance'
>

function edited(author: Author, row: AlarmRow, reason: Reason, before: Told | undefined) {
  const told = draft(author, 'edit', row)
  const held: Row = { ...before }
  const after = Object.fromEntries(Object.entries(row).filter(([name]) => name in held))
  return { ...told, object: { ...told.object, reason, ...tellChanges(resources.alarm, held, after) } }
}

function draft({ caller, now }: Author, verb: 'create' | 'edit', row: object) {
  return draftOf(caller, now, resources.alarm, verb, row as Row)
}
