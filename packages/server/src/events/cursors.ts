import type { Database } from '../database/db.ts'
import { asRead } from '../database/postgres/query.ts'

const lease = `clock_timestamp() + interval '8 seconds'`
const start = '0.0.0'

/**
 * Takes the lease of a consumer and returns its position, or undefined while another process leads. Uses the
 * clock of the database, because the clocks of several machines may differ.
 */
export async function acquireCursor(
  db: Database,
  consumer: string,
  owner: string,
  now: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ position: string }>(
    `INSERT INTO feed_cursors AS c (consumer, position, updated_at, owner, owned_until) VALUES ($1, '${start}', $3, $2, ${lease})
     ON CONFLICT (consumer) DO UPDATE SET owner = excluded.owner, owned_until = excluded.owned_until
     WHERE c.owner = excluded.owner OR c.owned_until IS NULL OR c.owned_until < clock_timestamp() RETURNING c.position`,
    [consumer, owner, now],
  )
  return row?.position
}

export async function renewCursor(db: Database, consumer: string, owner: string): Promise<boolean> {
  const rows = await db.query(
    `UPDATE feed_cursors SET owned_until = ${lease} WHERE consumer = $1 AND owner = $2 RETURNING 1`,
    [consumer, owner],
  )
  return rows.length > 0
}

/** Another process leads, so nothing may be committed. */
export class LeadLost extends Error {
  override name = 'LeadLost'
}

/**
 * Throws `LeadLost` if the cursor is not where this process left it. The work of the transaction and the cursor are lost
 * together or not at all, so its commit need not wait for the disk.
 */
export async function moveCursor(
  db: Database,
  consumer: string,
  owner: string,
  from: string,
  to: string,
  now: string,
): Promise<void> {
  const rows = await db.query(
    `UPDATE feed_cursors SET position = $4, updated_at = $5, owned_until = ${lease}
     WHERE consumer = $1 AND owner = $2 AND position = $3 RETURNING set_config('synchronous_commit', 'off', true)`,
    [consumer, owner, from, to, now],
  )
  if (rows.length === 0) throw new LeadLost(`another process leads the consumer ${consumer}`)
}

export async function releaseCursor(db: Database, consumer: string, owner: string): Promise<void> {
  await db.query(
    'UPDATE feed_cursors SET owner = NULL, owned_until = NULL WHERE consumer = $1 AND owner = $2',
    [consumer, owner],
  )
}

export async function loadPositions(db: Database): Promise<{ consumer: string; position: string }[]> {
  return db.query<{ consumer: string; position: string }>(
    'SELECT consumer, position FROM feed_cursors ORDER BY consumer',
    [],
    asRead,
  )
}
