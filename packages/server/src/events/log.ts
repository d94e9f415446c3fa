import type { EventObject, EventSubject, verbs } from '@gatehouse/api'
import { newId } from '../ids.ts'
import type { Database } from '../store/db.ts'
import type { Bind } from '../store/statement.ts'

export interface EventDraft {
  readonly organization_id: string
  readonly subject: EventSubject
  readonly verb: (typeof verbs)[number]
  readonly object: EventObject
  /** When it was stored; its id carries the millisecond of this. */
  readonly recorded_at: string
  /** When it happened, where that differs: events a device buffered. */
  readonly created_at?: string
  readonly clock_adjusted?: boolean
  /** Why access was denied. */
  readonly explanation?: object
}

const names = [
  'id',
  'organization_id',
  'subject',
  'verb',
  'object',
  'created_at',
  'recorded_at',
  'clock_adjusted',
  'explanation',
] as const
const columns = names.join(', ')

export type EventRow = ReturnType<typeof eventRow>

export function eventRow(draft: EventDraft) {
  return {
    id: newId('event', draft.recorded_at),
    organization_id: draft.organization_id,
    subject: draft.subject,
    verb: draft.verb,
    object: draft.object,
    created_at: draft.created_at ?? draft.recorded_at,
    recorded_at: draft.recorded_at,
    clock_adjusted: draft.clock_adjusted ?? false,
    explanation: draft.explanation ?? null,
  }
}

/** The INSERT of one event, to stand as a WITH query beside the change it tells of: both commit, or neither. */
export function insertEvent(bind: Bind<{ readonly event: EventRow }>): string {
  const values = names.map(name => bind(({ event }) => event[name]))
  return `INSERT INTO events (${columns}) VALUES (${values.join(', ')})`
}

/** Appends many events within the caller's transaction and answers their ids. */
export async function logEvents(db: Database, drafts: readonly EventDraft[]): Promise<string[]> {
  if (drafts.length === 0) return []
  const rows = inOrder(drafts.map(eventRow))
  await db.query(
    `INSERT INTO events (${columns}) SELECT ${columns} FROM jsonb_to_recordset($1::jsonb) AS e(id text, organization_id text,
     subject jsonb, verb text, object jsonb, created_at timestamptz, recorded_at timestamptz, clock_adjusted boolean, explanation jsonb)`,
    [rows],
  )
  return rows.map(({ id }) => id)
}

/** Events of one moment sort by their ids, so those are given out in the order in which things happened. */
function inOrder<Row extends { id: string; recorded_at: string }>(rows: Row[]): Row[] {
  if (rows.some(row => row.recorded_at !== rows[0]?.recorded_at)) return rows
  const ids = rows.map(({ id }) => id).sort()
  return rows.map((row, index) => ({ ...row, id: ids[index] as string }))
}
