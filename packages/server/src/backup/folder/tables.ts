import type { Database } from '../../database/db.ts'

export const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

type Asker = Pick<Database, 'query'>

/** Returns the tables of Gatehouse that a backup keeps, by name. Partitions are read through their parent. */
export async function listTables(db: Asker): Promise<{ name: string; about: number }[]> {
  return db.query<{ name: string; about: number }>(
    `SELECT c.relname::text AS name, (SELECT sum(greatest(p.reltuples, 0)) FROM pg_partition_tree(c.oid) t JOIN pg_class p ON p.oid = t.relid)::float8 AS about
     FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
       AND NOT c.relispartition AND c.relpersistence = 'p' ORDER BY c.relname`,
  )
}

/** Counts the rows of tables, without those of about more than `most`. */
export async function countRows(db: Asker, most = Number.POSITIVE_INFINITY): Promise<Record<string, number>> {
  const rows: Record<string, number> = {}
  for (const { name, about } of await listTables(db)) {
    if (about > most) continue
    const [found] = await db.query<{ count: string }>(`SELECT count(*) AS count FROM ${quote(name)}`, [], {
      prepare: false,
    })
    rows[name] = Number(found?.count)
  }
  return rows
}
