import type { Database } from '../../packages/server/src/database/db.ts'

export interface Index {
  readonly method: string
  /** The keys as PostgreSQL prints them, each with its operator class if that is not the default. */
  readonly keys: string
}

const indexKeys = `SELECT c.relname AS table, a.amname AS method, (
    SELECT string_agg(pg_get_indexdef(i.indexrelid, k, true) || CASE WHEN o.opcdefault THEN '' ELSE ' ' || o.opcname END, ', ' ORDER BY k)
    FROM generate_series(1, i.indnkeyatts) AS k JOIN pg_opclass o ON o.oid = i.indclass[k - 1]
  ) AS keys
  FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am a ON a.oid = x.relam
  WHERE c.relnamespace = 'public'::regnamespace`

/** Returns the indexes of every table. */
export async function readIndexes(db: Database): Promise<Map<string, Index[]>> {
  const rows = await db.query<Index & { table: string }>(indexKeys)
  return Map.groupBy(rows, row => row.table)
}

/** Returns an expression as PostgreSQL prints it, by creating an index on it that is then rolled back. */
export async function normalizeExpression(db: Database, table: string, expression: string): Promise<string> {
  const given: string[] = []
  await db
    .transaction(async inner => {
      await inner.query(`CREATE INDEX probe ON ${table} ((${expression}))`, [], { prepare: false })
      const [row] = await inner.query<Index>(`${indexKeys} AND x.relname = 'probe'`, [], { prepare: false })
      given.push(row?.keys as string)
      throw rollback
    })
    .catch(error => {
      if (error !== rollback) throw error
    })
  return given[0] as string
}

const rollback = new Error('only to see it')
