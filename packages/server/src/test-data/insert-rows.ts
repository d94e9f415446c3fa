import type { Database, Row } from '../database/db.ts'
import type { Columns } from './tables.ts'

/** Inserts many rows in one statement. Values are sent as one text array per column. */
export async function insertRows(
  db: Database,
  table: string,
  columns: Columns,
  rows: readonly Row[],
): Promise<void> {
  const names = Object.keys(columns)
  const arrays = names.map(name => rows.map(row => encodeValue(row[name])))
  const marks = names.map((_, index) => `$${index + 1}::text[]`)
  const values = Object.entries(columns).map(([name, type]) => `${name}::${type}`)
  await db.query(
    `INSERT INTO ${table} (${names.join(', ')}) SELECT ${values.join(', ')} FROM unnest(${marks.join(', ')}) AS r(${names.join(', ')})`,
    arrays,
  )
}

function encodeValue(value: unknown): string | null {
  if (value === null) return null
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
