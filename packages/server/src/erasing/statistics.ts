import type { Database } from '../database/db.ts'
import { present } from '../flow/present.ts'
import { touchedTables } from './holdings.ts'

type Db = Pick<Database, 'query'>

/**
 * Statistics of the database quote values that were common. New ones are taken, so that they quote nobody who was erased. Of whole
 * tables: for a list of columns PostgreSQL leaves those of indexes on expressions as they are, which quote IDs.
 */
export async function refreshStatistics(db: Db, tables = touchedTables): Promise<void> {
  const [began] = await db.query<{ next: string; may_drop: boolean }>(
    'SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next, rolsuper AS may_drop FROM pg_roles WHERE rolname = current_user',
  )
  for (const table of tables) await db.query(`ANALYZE ${table}`, [], { prepare: false })
  const { next, may_drop } = present(began, 'the present')
  if (may_drop) await dropStale(db, tables, next)
}

/**
 * Where no row is left, in a table or of a partial index, PostgreSQL keeps the statistics from before. Only a superuser can remove
 * them, as the account of the service's own database is.
 */
async function dropStale(db: Db, tables: readonly string[], since: string): Promise<void> {
  await db.query(
    `WITH tables AS (SELECT p.relid FROM unnest($1::text[]) AS t(name), LATERAL (SELECT t.name::regclass AS relid
         UNION SELECT relid FROM pg_partition_tree(t.name::regclass)) p)
     DELETE FROM pg_statistic WHERE age(xmin) > age($2::xid8::xid)
       AND (starelid IN (SELECT relid FROM tables) OR starelid IN (SELECT indexrelid FROM pg_index WHERE indrelid IN (SELECT relid FROM tables)))`,
    [tables, since],
  )
}
