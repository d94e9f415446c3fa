import type { Database } from '@gatehouse-access/server'

/** Returns the tables with rows that contain one of the words, with the number of such rows. */
export async function findWord(
  db: Pick<Database, 'query'>,
  ...words: readonly string[]
): Promise<Record<string, number>> {
  const tables = await db.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY relname`,
  )
  const found: Record<string, number> = {}
  for (const { name } of tables) {
    const [row] = await db.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM "${name}" t WHERE lower(t::text) LIKE ANY($1::text[])`,
      [words.map(word => `%${word.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`)],
    )
    if (row && row.count > 0) found[name] = row.count
  }
  return found
}
