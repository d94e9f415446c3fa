import type { Database } from '../database/db.ts'

/** The tables that an erasure changes. */
const tables = ['members', 'member_emails', 'webhook_bodies', 'events'] as const

/**
 * Rewrites the tables without the versions of rows from before an erasure, and drops the statistics and the
 * write-ahead log that may quote them. What the account of the database may not do is left to PostgreSQL, which
 * overwrites these by and by.
 */
export async function scrub(db: Database): Promise<void> {
  for (const table of tables) await db.query(`VACUUM (FULL, ANALYZE) ${table}`, [], { prepare: false })
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
