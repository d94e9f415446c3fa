import type { Database } from '../database/db.ts'

interface Sent {
  readonly organization_id: string
  readonly event_ids: readonly string[]
  /** Only with these renderings, one for each event. */
  readonly readers?: readonly string[]
}

/** Deliveries stay, without what was sent and what receivers answered. Those that wait are not sent any more. */
export async function emptyDeliveries(
  db: Database,
  { organization_id, event_ids, readers }: Sent,
  now: string,
): Promise<number> {
  if (event_ids.length === 0) return 0
  // First, and in this order: what is recorded of an attempt meanwhile locks them as well, and has to be seen below.
  await db.query(
    `DELETE FROM webhook_bodies b USING (SELECT organization_id, event_id, reader FROM webhook_bodies
       WHERE organization_id = $1 AND event_id = ANY($2::text[]) AND ($3::text[] IS NULL OR (event_id, reader) IN (SELECT * FROM unnest($2::text[], $3::text[]))) ORDER BY event_id, reader FOR UPDATE) gone
     WHERE b.organization_id = gone.organization_id AND b.event_id = gone.event_id AND b.reader = gone.reader`,
    [organization_id, event_ids, readers ?? null],
  )
  const rows = await db.query(
    `WITH aside AS (UPDATE set_aside_events SET error = '' WHERE organization_id = $1 AND event_id = ANY($2::text[]))
     UPDATE webhook_deliveries d SET status = CASE d.status WHEN 'pending' THEN 'canceled' ELSE d.status END,
       next_attempt_at = NULL, finished_at = coalesce(d.finished_at, $3),
       attempts = (SELECT coalesce(jsonb_agg(one || '{"answer": null}' ORDER BY place), '[]') FROM jsonb_array_elements(d.attempts) WITH ORDINALITY AS a(one, place))
     FROM webhooks w WHERE w.organization_id = $1 AND d.organization_id = $1 AND d.webhook_id = w.id AND d.event_id = ANY($2::text[])
       AND ($4::text[] IS NULL OR (d.event_id, d.reader) IN (SELECT * FROM unnest($2::text[], $4::text[])))
     RETURNING 1`,
    [organization_id, event_ids, now, readers ?? null],
  )
  return rows.length
}
