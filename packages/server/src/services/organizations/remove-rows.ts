import type { Database } from '../../database/db.ts'
import { codeOf } from '../../flow/failures.ts'

const batch = 5000
const referenced = '23503'

/** Tables that say that something of the organization is still to be removed. */
const markers = ['organization_deletions', 'organization_imports']

/**
 * Removes all rows of an organization but those of the markers, which the caller removes last. `hold` runs at the
 * start of each transaction, and can stop the removal.
 */
export async function removeRows(
  db: Database,
  organization_id: string,
  hold: (inner: Database) => Promise<void> = async () => {},
): Promise<void> {
  const tables = await listTables(db)
  for (let left = tables; left.length > 0; ) {
    const held = []
    for (const table of left) if (!(await empty(db, table, organization_id, hold))) held.push(table)
    if (held.length === left.length) throw new Error(`tables hold each other: ${held.join(', ')}`)
    left = held
  }
}

/** Returns the tables whose rows belong to one organization each. */
export async function listTables(db: Pick<Database, 'query'>): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND a.attname = 'organization_id' AND NOT a.attisdropped AND c.relname <> ALL($1::text[]) ORDER BY c.relname`,
    [markers],
  )
  return rows.map(({ name }) => name)
}

/**
 * Deletes in batches, so that no long transaction holds back the readers of the feed. Returns false if other
 * rows still reference these.
 */
async function empty(
  db: Database,
  table: string,
  organization_id: string,
  hold: (inner: Database) => Promise<void>,
): Promise<boolean> {
  const statement = `WITH due AS (SELECT tableoid, ctid FROM ${table} WHERE organization_id = $1 LIMIT ${batch})
    DELETE FROM ${table} t USING due WHERE t.tableoid = due.tableoid AND t.ctid = due.ctid RETURNING 1`
  const removeBatch = async (inner: Database) => {
    await hold(inner)
    return inner.query(statement, [organization_id])
  }
  try {
    while ((await db.transaction(removeBatch)).length === batch);
    return true
  } catch (error) {
    if (codeOf(error) === referenced) return false
    throw error
  }
}
