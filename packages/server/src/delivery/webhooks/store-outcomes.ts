import type { Database } from '../../database/db.ts'
import { isRepeated } from '../../store/constraints.ts'
import type { Outcome } from './outcome.ts'

export interface FinishedBatch {
  readonly organization_id: string
  readonly webhook_id: string
  readonly id: string
}

/**
 * Most deliveries enter the log here for the first time. A plain insert costs a third less than an upsert, so
 * it is tried first. A row exists already if the delivery is a retry, was replayed before its first attempt
 * or canceled meanwhile, or if another process had taken over the lane.
 */
export async function storeOutcomes(
  db: Database,
  outcomes: readonly Outcome[],
  finished: readonly FinishedBatch[],
): Promise<void> {
  const params = toColumns(outcomes, finished)
  const areNew = outcomes.every(({ delivery }) => delivery.batch)
  if (areNew && (await insertNew(db, params))) return
  await db.query(`${insert} ${orAdd}`, params)
}

/** Returns whether all were new. If not, none was inserted. */
async function insertNew(db: Database, params: readonly unknown[]): Promise<boolean> {
  try {
    await db.query(insert, params)
    return true
  } catch (error) {
    if (isRepeated(error)) return false
    throw error
  }
}

/**
 * What was sent is gone once somebody in the event was erased: then it is not sent again, and an answer that comes later, which may
 * quote it, is not stored. An erasure at the same time waits for the lock, or is waited for: either it finds what is recorded here, or
 * it is found here.
 */
const insert = `WITH gone AS (DELETE FROM webhook_batches b USING unnest($1::text[], $2::text[], $3::text::bigint[]) AS f(organization_id, webhook_id, id)
     WHERE b.organization_id = f.organization_id AND b.webhook_id = f.webhook_id AND b.id = f.id)
   INSERT INTO webhook_deliveries AS d (organization_id, webhook_id, oauth_application_id, reader, created_at,
     id, event_id, status, attempts, next_attempt_at, finished_at, round_started_at, round_place)
   SELECT ($4::text[])[source], ($5::text[])[source], ($6::text[])[source], ($7::text[])[source], ($8::text::timestamptz[])[source],
     o.id, o.event_id, CASE WHEN is_there OR o.status <> 'pending' THEN o.status ELSE 'canceled' END,
     CASE WHEN is_there THEN o.attempts ELSE jsonb_set(o.attempts, '{0,answer}', 'null') END,
     CASE WHEN is_there THEN o.next_attempt_at END,
     CASE WHEN is_there OR o.finished_at IS NOT NULL THEN o.finished_at ELSE (o.attempts->0->>'attempted_at')::timestamptz END,
     o.round_started_at, o.round_place
   FROM unnest($9::text::integer[], string_to_array($10, ','), string_to_array($11, ','), string_to_array($12, ','), string_to_array($13, chr(31))::jsonb[],
     $14::text::timestamptz[], $15::text::timestamptz[], $16::text::timestamptz[], $17::text::integer[])
     AS o(source, id, event_id, status, attempts, next_attempt_at, finished_at, round_started_at, round_place)
   CROSS JOIN LATERAL (SELECT EXISTS (SELECT 1 FROM webhook_bodies b
     WHERE b.organization_id = ($4::text[])[source] AND b.event_id = o.event_id AND b.reader = ($7::text[])[source] FOR KEY SHARE) AS is_there OFFSET 0) AS body`

/** A delivery that was canceled meanwhile stays canceled, unless it was accepted. */
const orAdd = `ON CONFLICT (organization_id, webhook_id, event_id) DO UPDATE SET attempts = d.attempts || excluded.attempts,
     round_started_at = excluded.round_started_at, round_place = excluded.round_place,
     status = CASE WHEN d.status = 'pending' OR excluded.status = 'succeeded' THEN excluded.status ELSE d.status END,
     next_attempt_at = CASE WHEN d.status = 'pending' THEN excluded.next_attempt_at END,
     finished_at = CASE WHEN d.status = 'pending' OR excluded.status = 'succeeded' THEN excluded.finished_at ELSE d.finished_at END`

/** JSON text always escapes this character, so it needs no quoting. */
const separator = '\x1f'

/** The parameters of `insert`. Fields that a batch shares are sent once, and rows refer to them by index. */
function toColumns(outcomes: readonly Outcome[], finished: readonly FinishedBatch[]): unknown[] {
  const rows = outcomes.toSorted((one, other) => (bodyOf(one) < bodyOf(other) ? -1 : 1))
  const sources = [...new Set(rows.map(({ delivery }) => delivery.source))]
  const placeOf = new Map(sources.map((source, at) => [source, at + 1]))
  const places = rows.map(({ delivery }) => placeOf.get(delivery.source) ?? 0)
  return [
    finished.map(({ organization_id }) => organization_id),
    finished.map(({ webhook_id }) => webhook_id),
    arrayOf(finished.map(({ id }) => id)),
    sources.map(({ organization_id }) => organization_id),
    sources.map(({ webhook_id }) => webhook_id),
    sources.map(({ oauth_application_id }) => oauth_application_id),
    sources.map(({ reader }) => reader),
    arrayOf(sources.map(({ created_at }) => created_at)),
    arrayOf(places),
    rows.map(({ delivery }) => delivery.id).join(),
    rows.map(({ delivery }) => delivery.event_id).join(),
    rows.map(({ status }) => status).join(),
    rows.map(({ attempt }) => JSON.stringify([attempt])).join(separator),
    arrayOf(rows.map(({ next_attempt_at }) => next_attempt_at)),
    arrayOf(rows.map(({ finished_at }) => finished_at)),
    arrayOf(rows.map(({ round_started_at }) => round_started_at)),
    arrayOf(rows.map(({ round_place }) => round_place)),
  ]
}

/** What was sent is locked in this order, by an erasure too, so that neither can wait for the other in a circle. */
function bodyOf({ delivery }: Outcome): string {
  return delivery.event_id + delivery.source.reader
}

/** Array literal of numbers or timestamps, which need no quotes. */
function arrayOf(values: readonly (string | number | null)[]): string {
  return `{${values.map(value => value ?? 'NULL').join()}}`
}
