import type { Database } from '@gatehouse-access/server'

/** Returns the tables with rows that contain a word, with the number of such rows. */
export async function findWord(db: Pick<Database, 'query'>, word: string): Promise<Record<string, number>> {
  const tables = await db.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY relname`,
  )
  const found: Record<string, number> = {}
  for (const { name } of tables) {
    const [row] = await db.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM "${name}" t WHERE strpos(lower(t::text), $1) > 0`,
      [word.toLowerCase()],
    )
    if (row && row.count > 0) found[name] = row.count
  }
  return found
}
