import type { EventObject, EventSubject, verbs } from '@gatehouse-access/api'
import type { Database } from '../database/db.ts'
import { formatTextArray } from '../database/postgres/wire/text-arrays.ts'
import { newId } from './ids.ts'
import type { Bind } from './statement.ts'

export interface EventDraft {
  readonly organization_id: string
  readonly subject: EventSubject
  readonly verb: (typeof verbs)[number]
  readonly object: EventObject
  /** When the event was stored. Its id contains the millisecond of this time. */
  readonly recorded_at: string
  /** When the event happened, if that differs: for events that a device buffered. */
  readonly created_at?: string
  readonly clock_adjusted?: boolean
  /** Why access was denied. */
  readonly explanation?: object
  /** False for an edit that affects neither decisions nor devices. */
  readonly touches_policy?: boolean
  /** True if the event lost its member before it was stored. */
  readonly is_unlinked?: boolean
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

/** Returns the INSERT of one event, for a WITH query next to the change it describes: both commit or none. */
export function insertEvent(bind: Bind<{ readonly event: EventRow }>): string {
  const values = names.map(name => bind(({ event }) => event[name]))
  return `INSERT INTO events (${columns}) VALUES (${values.join(', ')})`
}

/**
 * Appends many events within the caller's transaction and returns their ids. The events are sent as columns,
 * and shared values are sent once: a journal mentions few gadgets, and its rows differ mostly in their times.
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

/** OFFSET 0 lets PostgreSQL parse the shared values once, and not for each row. */
const insertMany = `INSERT INTO events (id, subject, object, created_at, organization_id, verb, recorded_at, clock_adjusted, explanation, is_unlinked, touches_policy, epoch)
  SELECT id, subjects[subject], objects[object], created_at, rest->>'organization_id', rest->>'verb',
    (rest->>'recorded_at')::timestamptz, (rest->>'clock_adjusted')::boolean, rest->'explanation', coalesce((rest->>'is_unlinked')::boolean, false),
    coalesce((rest->>'touches_policy')::boolean, true), (SELECT feed_epoch())
  FROM (SELECT e.*, shared.subjects, shared.objects, shared.rests[place] AS rest
    FROM (SELECT $6::text::jsonb[] AS subjects, $7::text::jsonb[] AS objects, $8::text::jsonb[] AS rests OFFSET 0) shared,
      unnest(string_to_array($1, ','), $2::text::integer[], $3::text::integer[], $4::text::integer[], $5::text::timestamptz[])
        AS e(id, subject, object, place, created_at)) e`

function restOf(draft: EventDraft) {
  const {
    organization_id,
    verb,
    recorded_at,
    clock_adjusted = false,
    explanation,
    is_unlinked,
    touches_policy,
  } = draft
  return { organization_id, verb, recorded_at, clock_adjusted, explanation, is_unlinked, touches_policy }
}

/** Distinct values, with the 1-based index of each. */
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

/** Events recorded at the same time sort by id, so ids are assigned in the order of the events. */
function idsOf(drafts: readonly EventDraft[]): string[] {
  const ids = drafts.map(({ recorded_at }) => newId('event', recorded_at))
  return drafts.every(({ recorded_at }) => recorded_at === drafts[0]?.recorded_at) ? ids.sort() : ids
}
