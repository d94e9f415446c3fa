import type { Database } from '../../packages/server/src/database/db.ts'

/**
 * Returns a digest of every table by name. Two digests are equal if nothing changed in between. Excludes when
 * applications were last used, because every request is a use, and the heartbeats of processes.
 */
export async function digestTables(db: Database): Promise<Record<string, string>> {
  const tables = await db.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace AND relname NOT IN ('installations', 'device_processes') ORDER BY 1`,
  )
  const parts = tables.map(
    ({ name }) =>
      `SELECT '${name}' AS name, count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' ORDER BY t::text)), '') AS digest FROM ${name} t`,
  )
  const rows = await db.query<{ name: string; digest: string }>(parts.join(' UNION ALL '))
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]))
}
