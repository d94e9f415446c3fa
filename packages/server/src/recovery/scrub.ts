import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../config/start-error.ts'
import type { Database } from '../database/db.ts'
import { touchedTables } from '../erasing/holdings.ts'
import { present } from '../flow/present.ts'

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

const patience = 60_000
const look = 100

/**
 * Waits until nothing is older than now: a rewrite keeps rows that any transaction of the server, in whichever
 * database, could still see. Of this database alone, also those that only read, as when PostgreSQL analyzes it.
 */
async function awaitOlder(db: Database): Promise<void> {
  const [began] = await db.query<{ next: string; now: string }>(
    'SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next, clock_timestamp()::text AS now',
  )
  const { next, now } = present(began, 'the present')
  for (let waited = 0; waited < patience; waited += look) {
    const [row] = await db.query<{ is_over: boolean }>(
      `SELECT pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 AND NOT EXISTS (
         SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start < $2::timestamptz) AS is_over`,
      [next, now],
    )
    if (row?.is_over) return
    await sleep(look)
  }
  throw new StartError(
    'What was erased cannot be removed from the files of the database, because a transaction on the same server has lasted for a minute: end it and repeat the command.',
  )
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
