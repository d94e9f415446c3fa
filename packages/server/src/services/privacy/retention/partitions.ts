import type { Database, Pool } from '../../../database/db.ts'
import { codeOf } from '../../../flow/failures.ts'

/** PostgreSQL says that a lock was not free in time. */
const notInTime = '55P03'

/** Drops the months of which no event is left. Whoever reads or writes events waits a fifth of a second at most. */
export async function dropEmptyMonths(db: Pool, now: string): Promise<string[]> {
  const dropped: string[] = []
  for (const name of await listMonths(db, now)) {
    if (!(await isEmpty(db, name))) continue
    const isDropped = await db
      .transaction(inner => dropIfEmpty(inner, name))
      .catch(error => {
        if (codeOf(error) !== notInTime) throw error
        return false
      })
    if (isDropped) dropped.push(name)
  }
  return dropped
}

/** Months that ended at least a day ago: everything is recorded in the current one. */
async function listMonths(db: Database, now: string): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `SELECT c.relname::text AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'events'::regclass AND c.relname < 'events_' || to_char($1::timestamptz AT TIME ZONE 'UTC' - interval '1 day', 'YYYY_MM')
       AND c.relname ~ '^events_[0-9]{4}_[0-9]{2}$' ORDER BY c.relname`,
    [now],
  )
  return rows.map(({ name }) => name)
}

async function isEmpty(db: Database, name: string): Promise<boolean> {
  return (await db.query(`SELECT 1 FROM ${name} LIMIT 1`)).length === 0
}

async function dropIfEmpty(db: Database, name: string): Promise<boolean> {
  await db.query(`SET LOCAL lock_timeout = '200ms'`)
  await db.query('LOCK TABLE ONLY events IN ACCESS EXCLUSIVE MODE')
  if (!(await isEmpty(db, name))) return false
  await db.query(`DROP TABLE ${name}`)
  return true
}
