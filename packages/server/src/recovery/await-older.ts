import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../config/start-error.ts'
import type { Database } from '../database/db.ts'
import { present } from '../flow/present.ts'

const patience = 60_000
const look = 100

/**
 * Waits until nothing is older than now: a rewrite keeps rows that any transaction of the server, in whichever
 * database, could still see. Of this database alone, also those that only read, as when PostgreSQL analyzes it.
 */
export async function awaitOlder(db: Pick<Database, 'query'>): Promise<void> {
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
