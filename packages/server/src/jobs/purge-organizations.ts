import { closeChain } from '../audit/closings.ts'
import type { Database } from '../database/db.ts'
import { eachApart } from '../flow/each-apart.ts'
import { codeOf } from '../flow/failures.ts'
import type { Context } from '../services/objects/context.ts'

const batch = 5000
const referenced = '23503'

/**
 * Removes everything of organizations whose 30 days are over. Only the bare row remains, because ids are
 * never reused, and the signed end of the audit chain.
 */
export async function purgeOrganizations(context: Context): Promise<void> {
  const due = await context.db.query<{ organization_id: string; due_at: string }>(
    'SELECT organization_id, due_at FROM organization_deletions WHERE due_at <= $1 ORDER BY due_at',
    [context.clock.now()],
  )
  await eachApart(due, async ({ organization_id, due_at }) => {
    await closeChain(context, organization_id, due_at)
    await purge(context.db, organization_id)
  })
}

async function purge(db: Database, organization_id: string): Promise<void> {
  const tables = await listTables(db)
  for (let left = tables; left.length > 0; ) {
    const held = []
    for (const table of left) if (!(await empty(db, table, organization_id))) held.push(table)
    if (held.length === left.length) throw new Error(`tables hold each other: ${held.join(', ')}`)
    left = held
  }
  await db.query(`UPDATE organizations SET name = 'Deleted organization', metadata = '{}' WHERE id = $1`, [
    organization_id,
  ])
  // Last, so that an interrupted purge is resumed.
  await db.query('DELETE FROM organization_deletions WHERE organization_id = $1', [organization_id])
}

async function listTables(db: Database): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND a.attname = 'organization_id' AND NOT a.attisdropped AND c.relname <> 'organization_deletions' ORDER BY c.relname`,
  )
  return rows.map(({ name }) => name)
}

/**
 * Deletes in batches, so that no long transaction holds back the readers of the feed. Returns false if other
 * rows still reference these.
 */
async function empty(db: Database, table: string, organization_id: string): Promise<boolean> {
  const statement = `WITH due AS (SELECT tableoid, ctid FROM ${table} WHERE organization_id = $1 LIMIT ${batch})
    DELETE FROM ${table} t USING due WHERE t.tableoid = due.tableoid AND t.ctid = due.ctid RETURNING 1`
  try {
    while ((await db.query(statement, [organization_id])).length === batch);
    return true
  } catch (error) {
    if (codeOf(error) === referenced) return false
    throw error
  }
}
