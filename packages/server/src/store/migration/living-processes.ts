import { version } from '../../config/version.ts'
import type { Database } from '../../database/db.ts'
import { loadMigrations } from './migrations.ts'

/** How long a process must be silent before its lock is checked. A busy process keeps its lock. */
const silence = `interval '2 seconds'`
export const lockClass = `hashtext('gatehouse process')`
export const isLocked = (number: string, more = '') =>
  `EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
     AND classid::bigint = ${lockClass}::bigint & 4294967295 AND objid::bigint = ${number} AND objsubid = 2 AND granted ${more})`
const isDead = `seen_at < clock_timestamp() - ${silence} AND NOT ${isLocked('p.number')}`

/** Stores that a process lives, of which version it is, and the newest migration that it knows. */
export async function sayAlive(db: Database, owner: string, number: number): Promise<void> {
  const knows = (await loadMigrations()).at(-1)?.name
  await db.query(
    `INSERT INTO living_processes (owner, number, seen_at, version, knows) VALUES ($1, $2::integer, clock_timestamp(), $3, $4)
     ON CONFLICT (owner) DO UPDATE SET seen_at = excluded.seen_at`,
    [owner, number, version, knows ?? null],
  )
}

export async function findDead(db: Database): Promise<string[]> {
  const rows = await db.query<{ owner: string }>(`SELECT owner FROM living_processes p WHERE ${isDead}`)
  return rows.map(({ owner }) => owner)
}

/** Returns whether a process lives that does not know a migration. Before it was known, none said so. */
export async function hasOlderProcess(db: Database, migration: string): Promise<boolean> {
  const [row] = await db.query<{ is_there: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM living_processes p WHERE coalesce(knows, '') < $1 AND NOT (${isDead})) AS is_there`,
    [migration],
  )
  return row?.is_there === true
}
