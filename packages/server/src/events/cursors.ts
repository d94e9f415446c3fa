import type { Database } from '../store/db.ts'

/** How far a consumer of the feed has come; undefined before its first time. */
export async function loadCursor(db: Database, consumer: string): Promise<string | undefined> {
  const [row] = await db.query<{ position: string }>(
    'SELECT position FROM feed_cursors WHERE consumer = $1',
    [consumer],
  )
  return row?.position
}

export async function saveCursor(
  db: Database,
  consumer: string,
  position: string,
  now: string,
): Promise<void> {
  await db.query(
    `INSERT INTO feed_cursors (consumer, position, updated_at) VALUES ($1, $2, $3)
     ON CONFLICT (consumer) DO UPDATE SET position = excluded.position, updated_at = excluded.updated_at`,
    [consumer, position, now],
  )
}
