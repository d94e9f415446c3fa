import type { Database } from '../database/db.ts'
import { touchedTables } from '../erasing/holdings.ts'
import { awaitOlder } from './await-older.ts'

/** Old salts would let guesses about events be tested. */
const tables = [...touchedTables, 'audit_links', 'audit_amendments']

/**
 * Rewrites the tables without the versions of rows from before an erasure, and drops the statistics and the
 * write-ahead log that may quote them. What the account of the database may not do is left to PostgreSQL, which
 * overwrites these by and by.
 */
export async function scrub(db: Database): Promise<void> {
  await awaitOlder(db)
  for (const table of tables) await db.query(`VACUUM (FULL, ANALYZE) ${table}`, [], { prepare: false })
  // The statistics from before are old versions of rows, too.
  await awaitOlder(db)
  for (const statement of attempts) await db.query(statement, [], { prepare: false }).catch(() => undefined)
}

const attempts = [
  'VACUUM FULL pg_catalog.pg_statistic',
  'ALTER SYSTEM SET wal_recycle = off',
  'SELECT pg_reload_conf()',
  'SELECT pg_switch_wal()',
  'CHECKPOINT',
  'SELECT pg_switch_wal()',
  'CHECKPOINT',
  'ALTER SYSTEM RESET wal_recycle',
  'SELECT pg_reload_conf()',
] as const
