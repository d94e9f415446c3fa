import { readdir, readFile } from 'node:fs/promises'
import { catalogue, resources } from '@gatehouse-access/api'
import { StartError } from '../config/start-error.ts'
import type { Database } from '../database/db.ts'
import { beginEpoch } from '../database/epochs.ts'
import { holdLock } from '../database/locks.ts'
import { searchText } from './search.ts'

const folder = new URL('../../migrations/', import.meta.url)

/** Migrates the schema. Any number of processes may start at once: the lock serializes them. */
export async function migrate(db: Database, now: string): Promise<string[]> {
  const files = (await readdir(folder)).filter(name => name.endsWith('.sql')).sort()
  const applied = await db.transaction(async inner => {
    await inner.query('SET LOCAL statement_timeout = 0')
    await holdLock(inner, 'migration')
    await inner.query(
      'CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL)',
    )
    const done = await inner.query<{ name: string }>('SELECT name FROM schema_migrations')
    const known = new Set(done.map(row => row.name))
    refuseNewer(known, files)
    const pending = files.filter(name => !known.has(name))
    for (const name of pending) await apply(inner, name, now)
    await storeCatalogue(inner)
    await makeEventPartitions(inner, now)
    return pending
  })
  // In a separate transaction: it waits for writers, which may wait for locks that a migration holds.
  await beginEpoch(db)
  return applied
}

/** An older service would not understand newer tables. */
function refuseNewer(known: ReadonlySet<string>, files: readonly string[]): void {
  const newer = [...known].filter(name => !files.includes(name)).sort()
  if (newer.length > 0)
    throw new StartError(
      `The database was migrated by a newer version of Gatehouse (${newer.at(-1)} is unknown to this one): start that version, or restore a backup from before the upgrade.`,
    )
}

async function apply(db: Database, name: string, now: string): Promise<void> {
  const text = await readFile(new URL(name, folder), 'utf8')
  await db.query(text, [], { prepare: false })
  await db.query('INSERT INTO schema_migrations (name, applied_at) VALUES ($1, $2)', [name, now])
}

/** The catalogue is defined in the code. The table is a copy that lists and expands read like any other. */
async function storeCatalogue(db: Database): Promise<void> {
  for (const entry of catalogue)
    await db.query(
      `INSERT INTO products (id, name, capabilities, search_text) VALUES ($1, $2, $3, $4)
       ON CONFLICT (id) DO UPDATE SET name = excluded.name, capabilities = excluded.capabilities, search_text = excluded.search_text`,
      [entry.id, entry.name, entry.capabilities, searchText(resources.product, entry)],
    )
}

/** Creates the partitions of this month and the next three. */
export async function makeEventPartitions(db: Database, now: string): Promise<void> {
  for (const months of [0, 1, 2, 3])
    await db.query(
      `SELECT make_event_partition((date_trunc('month', $1::timestamptz AT TIME ZONE 'UTC') + $2::integer * interval '1 month')::date)`,
      [now, months],
    )
}
