import type { Database } from '../database/db.ts'
import { touchedTables } from './holdings.ts'

const tables = touchedTables.map(table =>
  table === 'events' ? 'events (subject, object, explanation)' : table,
)

/** Statistics of the database quote values that were common. New ones are taken, so that they quote nobody who was erased. */
export async function refreshStatistics(db: Pick<Database, 'query'>): Promise<void> {
  for (const table of tables) await db.query(`ANALYZE ${table}`, [], { prepare: false })
}
