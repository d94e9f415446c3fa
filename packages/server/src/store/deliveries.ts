import type { Database } from '../database/db.ts'
import { newId } from './ids.ts'

/** The body of an event, shared by all readers that get the same rendering. */
export interface NewBody {
  readonly organization_id: string
  readonly event_id: string
  /** Identifies the readers that get the same rendering, see `readerName`. */
  readonly reader: string
  readonly body: string
}

export interface NewDelivery extends NewBody {
  readonly webhook_id: string
  readonly oauth_application_id: string
}

/** Events that wait for their first delivery attempt to a webhook. */
export interface NewBatch {
  readonly organization_id: string
  readonly webhook_id: string
  readonly oauth_application_id: string
  readonly reader: string
  readonly event_ids: readonly string[]
}

/** What to do if the webhook already has a delivery of this event. */
const onConflict = {
  keep: 'DO NOTHING',
  renew: `DO UPDATE SET status = 'pending', next_attempt_at = excluded.next_attempt_at, finished_at = NULL, round_started_at = NULL`,
} as const

/**
 * Inserts pending deliveries and wakes their lanes. A webhook has at most one delivery per event, so queueing
 * is idempotent. Returns the ids of the queued deliveries.
 *
 * The lanes are locked after the insert and until the commit: a lane that is about to go idle waits for the
 * commit and then sees the deliveries.
 */
export async function queueDeliveries(
  db: Database,
  deliveries: readonly NewDelivery[],
  now: string,
  repeated: keyof typeof onConflict = 'keep',
): Promise<string[]> {
  if (deliveries.length === 0) return []
  await storeBodies(db, deliveries, now)
  const queued: string[] = []
  for (let start = 0; start < deliveries.length; start += mostAtOnce)
    queued.push(...(await insertPending(db, deliveries.slice(start, start + mostAtOnce), now, repeated)))
  await wakeLanes(db, deliveries, now)
  return queued
}

const mostAtOnce = 1000

async function insertPending(
  db: Database,
  deliveries: readonly NewDelivery[],
  now: string,
  repeated: keyof typeof onConflict,
): Promise<string[]> {
  const rows = deliveries.map(({ body: _body, ...rest }) => ({ id: newId('webhook_delivery', now), ...rest }))
  const queued = await db.query<{ id: string }>(
    `INSERT INTO webhook_deliveries (id, organization_id, webhook_id, oauth_application_id, event_id, reader, status, attempts, next_attempt_at, created_at)
     SELECT id, organization_id, webhook_id, oauth_application_id, event_id, reader, 'pending', '[]', $2, $2
     FROM jsonb_to_recordset($1::jsonb) AS d(id text, organization_id text, webhook_id text, oauth_application_id text, event_id text, reader text)
     ON CONFLICT (organization_id, webhook_id, event_id) ${onConflict[repeated]} RETURNING id`,
    [rows, now],
  )
  return queued.map(({ id }) => id)
}

/** Queues the batches that fan-out made from the feed. As in `queueDeliveries`, the lanes are locked last. */
export async function queueBatches(
  db: Database,
  bodies: readonly NewBody[],
  batches: readonly NewBatch[],
  now: string,
): Promise<void> {
  if (batches.length === 0) return
  await storeBodies(db, bodies, now)
  await db.query(
    `INSERT INTO webhook_batches (organization_id, webhook_id, oauth_application_id, reader, event_ids, created_at)
     SELECT organization_id, webhook_id, oauth_application_id, reader, event_ids, $2 FROM jsonb_to_recordset($1::jsonb)
       AS b(organization_id text, webhook_id text, oauth_application_id text, reader text, event_ids text[])`,
    [batches, now],
  )
  await wakeLanes(db, batches, now)
}

/** Characters of bodies per statement, because both the database and this process build them in memory. */
const mostCharacters = 512 * 1024

/** Stores the bodies. An existing body stays unchanged, but is kept for as long as the new deliveries. */
async function storeBodies(db: Database, bodies: readonly NewBody[], now: string): Promise<void> {
  for (const portion of portionsOf(bodies, ({ body }) => body.length, mostCharacters))
    await storePortion(db, portion, now)
}

/** Splits things into consecutive portions of at least one thing and at most `size` in total. */
export function* portionsOf<T>(things: readonly T[], sizeOf: (thing: T) => number, size: number) {
  let portion: T[] = []
  let sum = 0
  for (const thing of things) {
    sum += sizeOf(thing)
    if (sum > size && portion.length > 0) {
      yield portion
      portion = []
      sum = sizeOf(thing)
    }
    portion.push(thing)
  }
  if (portion.length > 0) yield portion
}

async function storePortion(db: Database, bodies: readonly NewBody[], now: string): Promise<void> {
  const rows = bodies.map(({ organization_id, event_id, reader, body }) => ({
    organization_id,
    event_id,
    reader,
    body,
  }))
  await db.query(
    `INSERT INTO webhook_bodies (organization_id, event_id, reader, body, created_at)
     SELECT organization_id, event_id, reader, body, $2
     FROM jsonb_to_recordset($1::jsonb) AS b(organization_id text, event_id text, reader text, body text)
     ON CONFLICT (organization_id, event_id, reader) DO UPDATE SET created_at = excluded.created_at`,
    [rows, now],
  )
}

/** Locks the lanes in id order, so that two callers that wake several lanes cannot deadlock. */
export async function wakeLanes(
  db: Database,
  lanes: readonly { organization_id: string; webhook_id: string }[],
  now: string,
): Promise<void> {
  const keys = new Map(lanes.map(({ organization_id, webhook_id }) => [webhook_id, organization_id]))
  await db.query(
    `WITH locked AS (SELECT organization_id, webhook_id FROM webhook_lanes
       WHERE (organization_id, webhook_id) IN (SELECT * FROM unnest($1::text[], $2::text[])) ORDER BY webhook_id FOR UPDATE)
     UPDATE webhook_lanes l SET due_at = least(l.due_at, $3) FROM locked k
     WHERE l.organization_id = k.organization_id AND l.webhook_id = k.webhook_id`,
    [[...keys.values()], [...keys.keys()], now],
  )
}
