import type { Database } from '../../database/db.ts'

type Asker = Pick<Database, 'query'>

export interface Table {
  readonly name: string
  readonly columns: readonly string[]
}

export interface Sequence {
  readonly name: string
  readonly last_value: string | null
}

/** What a logical backup says of the tables that it holds. */
export interface About {
  readonly migrations: readonly string[]
  readonly tables: readonly Table[]
  readonly sequences: readonly Sequence[]
  /** The first day of each month that has a partition of events. */
  readonly months: readonly string[]
}

/** Reads the columns that are stored: those of generated columns follow from the others. */
export async function readTables(db: Asker): Promise<Table[]> {
  return db.query<{ name: string; columns: string[] }>(
    `SELECT c.relname::text AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relpersistence = 'p'
     GROUP BY c.relname ORDER BY c.relname`,
  )
}

export async function readSequences(db: Asker): Promise<Sequence[]> {
  return db.query<{ name: string; last_value: string | null }>(
    `SELECT sequencename::text AS name, last_value FROM pg_sequences WHERE schemaname = current_schema() ORDER BY sequencename`,
  )
}

export async function readMonths(db: Asker): Promise<string[]> {
  const rows = await db.query<{ month: string }>(
    `SELECT replace(substr(c.relname::text, 8), '_', '-') || '-01' AS month FROM pg_inherits i
     JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'events'::regclass AND c.relname ~ '^events_\\d{4}_\\d\\d$' ORDER BY 1`,
  )
  return rows.map(({ month }) => month)
}

/** A foreign key, as it is dropped before rows are loaded and added again after. */
export interface ForeignKey {
  readonly table: string
  readonly name: string
  readonly definition: string
}

export async function readForeignKeys(db: Asker): Promise<ForeignKey[]> {
  return db.query<{ table: string; name: string; definition: string }>(
    `SELECT c.relname::text AS table, k.conname::text AS name, pg_get_constraintdef(k.oid) AS definition
     FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
     WHERE k.contype = 'f' AND k.conparentid = 0 AND c.relnamespace = current_schema()::regnamespace ORDER BY 1, 2`,
  )
}

/** Returns all tables, also those that are emptied by every crash. */
export async function readAllTables(db: Asker): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `SELECT relname::text AS name FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`,
  )
  return rows.map(({ name }) => name)
}
