import type { Database } from '../database/db.ts'
import { holdings, isOfRows } from './holdings.ts'

const tables = Object.entries(holdings)
  .filter(([, holding]) => isOfRows(holding) || 'apart' in holding)
  .map(([table]) => table)

/** Statistics of the database quote values that were common. New ones are taken, so that they quote nobody who was erased. */
export async function refreshStatistics(db: Pick<Database, 'query'>): Promise<void> {
  for (const table of tables) await db.query(`ANALYZE ${table}`, [], { prepare: false })
}
