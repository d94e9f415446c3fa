import type { EventObject, EventSubject, verbs } from '@gatehouse/api'
import type { Database } from '../database/db.ts'
import { formatTextArray } from '../database/postgres/wire/text-arrays.ts'
import { newId } from './ids.ts'
import type { Bind } from './statement.ts'

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
  /** False: an edit of what neither decisions nor devices need. */
  readonly touches_policy?: boolean
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
  'touches_policy',
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
    touches_policy: draft.touches_policy ?? true,
  }
}

/** The INSERT of one event, to stand as a WITH query beside the change it tells of: both commit, or neither. */
export function insertEvent(bind: Bind<{ readonly event: EventRow }>): string {
  const values = names.map(name => bind(({ event }) => event[name]))
  return `INSERT INTO events (${columns}) VALUES (${values.join(', ')})`
}

/**
 * Appends many events within the caller's transaction and answers their ids. They go as columns, and what many of them
 * have in common goes once: a journal tells of few gadgets, and its times are most of what differs.
 */
export async function logEvents(db: Database, drafts: readonly EventDraft[]): Promise<string[]> {
  if (drafts.length === 0) return []
  const ids = idsOf(drafts)
  const subjects = new Distinct()
  const objects = new Distinct()
  const rests = new Distinct()
  const places = drafts.map(draft => [
    subjects.place(JSON.stringify(draft.subject)),
    objects.place(JSON.stringify(draft.object)),
    rests.place(JSON.stringify(restOf(draft))),
  ])
  await db.query(insertMany, [
    ids.join(),
    ...[0, 1, 2].map(column => `{${places.map(place => place[column]).join()}}`),
    `{${drafts.map(draft => draft.created_at ?? draft.recorded_at).join()}}`,
    ...[subjects, objects, rests].map(({ values }) => formatTextArray(values)),
  ])
  db.afterCommit('events_written')
  return ids
}

const insertMany = `INSERT INTO events (id, subject, object, created_at, organization_id, verb, recorded_at, clock_adjusted, explanation, epoch)
  SELECT id, ($6::text::jsonb[])[subject], ($7::text::jsonb[])[object], created_at, rest->>'organization_id', rest->>'verb',
    (rest->>'recorded_at')::timestamptz, (rest->>'clock_adjusted')::boolean, rest->'explanation', (SELECT feed_epoch())
  FROM (SELECT e.*, ($8::text::jsonb[])[place] AS rest FROM unnest(string_to_array($1, ','), $2::text::integer[], $3::text::integer[], $4::text::integer[],
    $5::text::timestamptz[]) AS e(id, subject, object, place, created_at)) e`

function restOf({ organization_id, verb, recorded_at, clock_adjusted = false, explanation }: EventDraft) {
  return { organization_id, verb, recorded_at, clock_adjusted, explanation }
}

/** Values that are told apart, and the place of each, from 1. */
class Distinct {
  readonly values: string[] = []
  readonly #places = new Map<string, number>()

  place(value: string): number {
    const known = this.#places.get(value)
    if (known !== undefined) return known
    this.values.push(value)
    this.#places.set(value, this.values.length)
    return this.values.length
  }
}

/** Events of one moment sort by their ids, so those are given out in the order in which things happened. */
function idsOf(drafts: readonly EventDraft[]): string[] {
  const ids = drafts.map(({ recorded_at }) => newId('event', recorded_at))
  return drafts.every(({ recorded_at }) => recorded_at === drafts[0]?.recorded_at) ? ids.sort() : ids
}
