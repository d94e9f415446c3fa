import { catalogue, resources } from '@gatehouse-access/api'
import { StartError } from '../../config/start-error.ts'
import { version } from '../../config/version.ts'
import type { Database } from '../../database/db.ts'
import { beginEpoch } from '../../database/epochs.ts'
import { indexSmall } from '../../database/event-indexes.ts'
import { holdLock } from '../../database/locks.ts'
import { codeOf } from '../../flow/failures.ts'
import { pause, systemTimers } from '../../flow/timers.ts'
import { searchText } from '../search.ts'
import { hasOlderProcess } from './living-processes.ts'
import { loadMigrations, type Migration } from './migrations.ts'

export interface MigrateOptions {
  readonly migrations?: readonly Migration[]
  /** Registers this process in the same transaction: a process that starts meanwhile takes nothing away. */
  readonly announce?: (db: Database) => Promise<void>
}

/** Other processes serve meanwhile. A migration that would keep them waiting for longer tries again. */
const longestHold = '1s'
const givesWay = ['55P03', '40P01']

/**
 * Migrates the schema and returns what was applied. Any number of processes may start at once: the lock
 * serializes them. What only a later call can apply is left out, see `Migration`.
 */
export async function migrate(db: Database, now: string, options: MigrateOptions = {}): Promise<string[]> {
  const applied = await migrateOnce(db, now, options).catch(error => {
    if (!givesWay.includes(codeOf(error) ?? '')) throw error
    return undefined
  })
  if (!applied) {
    await pause(systemTimers, 500)
    return migrate(db, now, options)
  }
  // In a separate transaction: it waits for writers, which may wait for locks that a migration holds.
  await beginEpoch(db)
  return applied
}

async function migrateOnce(db: Database, now: string, options: MigrateOptions): Promise<string[]> {
  const migrations = options.migrations ?? (await loadMigrations())
  return db.transaction(async inner => {
    await inner.query('SET LOCAL statement_timeout = 0')
    await holdLock(inner, 'migration')
    await inner.query(`SET LOCAL lock_timeout = '${longestHold}'`)
    await makeMigrationTable(inner)
    const known = await findApplied(inner)
    refuseNewer(known, migrations)
    const applied: string[] = []
    for (const migration of migrations)
      if (!known.has(migration.name) && (await apply(inner, migration, now))) applied.push(migration.name)
    await indexSmall(inner)
    await storeCatalogue(inner)
    await makeEventPartitions(inner, now)
    await options.announce?.(inner)
    return applied
  })
}

/** Applies what had to wait for processes of older versions, once they are gone. Returns what was applied. */
export async function finishMigrations(
  db: Database,
  now: string,
  options: MigrateOptions = {},
): Promise<string[]> {
  const migrations = options.migrations ?? (await loadMigrations())
  const contracts = migrations.filter(({ kind }) => kind === 'contract')
  if (contracts.length === 0) return []
  const known = await findApplied(db)
  return contracts.every(({ name }) => known.has(name)) ? [] : migrate(db, now, options)
}

export async function makeMigrationTable(db: Pick<Database, 'query'>): Promise<void> {
  await db.query(
    'CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL)',
  )
}

async function findApplied(db: Pick<Database, 'query'>): Promise<Set<string>> {
  const rows = await db.query<{ name: string }>('SELECT name FROM schema_migrations')
  return new Set(rows.map(row => row.name))
}

/** Compares a migrated database with this version. Changes nothing. */
export async function compareSchema(
  db: Database,
): Promise<{ applied: string[]; pending: string[]; newer: string[] }> {
  const names = await listMigrations()
  const known = await findApplied(db)
  return {
    applied: names.filter(name => known.has(name)),
    pending: names.filter(name => !known.has(name)),
    newer: [...known].filter(name => !names.includes(name)).sort(),
  }
}

/** Returns the names of the migrations that this version knows, in order. */
export async function listMigrations(): Promise<string[]> {
  return (await loadMigrations()).map(({ name }) => name)
}

/** An older service would not understand newer tables. */
function refuseNewer(known: ReadonlySet<string>, migrations: readonly Migration[]): void {
  const ours = new Set(migrations.map(({ name }) => name))
  const newer = [...known.difference(ours)].sort()
  if (newer.length > 0)
    throw new StartError(
      `The database was migrated by a newer version of Gatehouse (${newer.at(-1)} is unknown to this one, ${version}): start that version, or restore a backup from before the upgrade.`,
    )
}

async function apply(db: Database, migration: Migration, now: string): Promise<boolean> {
  if (migration.kind === 'contract' && (await hasOlderProcess(db, migration.name))) return false
  await applyMigration(db, migration, now)
  return true
}

/** Applies certain migrations to an empty database, for rows that were written with them. */
export async function applyMigrations(
  db: Pick<Database, 'query'>,
  names: readonly string[],
  now: string,
): Promise<void> {
  const migrations = await loadMigrations()
  refuseNewer(new Set(names), migrations)
  await makeMigrationTable(db)
  for (const migration of migrations)
    if (names.includes(migration.name)) await applyMigration(db, migration, now)
  await indexSmall(db)
}

/** Brings a database that nobody uses up to this version, in the transaction of the caller. */
export async function applyPending(db: Pick<Database, 'query'>, now: string): Promise<void> {
  const known = await findApplied(db)
  for (const migration of await loadMigrations())
    if (!known.has(migration.name)) await applyMigration(db, migration, now)
}

/** Also notes that the migration was applied. */
export async function applyMigration(
  db: Pick<Database, 'query'>,
  { name, text }: Migration,
  now: string,
): Promise<void> {
  await db.query(text, [], { prepare: false })
  await db.query('INSERT INTO schema_migrations (name, applied_at) VALUES ($1, $2)', [name, now])
}

/** The catalogue is defined in the code. The table is a copy that lists and expands read like any other. */
async function storeCatalogue(db: Database): Promise<void> {
  const products = catalogue.map(entry => ({ ...entry, search_text: searchText(resources.product, entry) }))
  await db.query(
    `INSERT INTO products (id, name, capabilities, search_text)
     SELECT id, name, capabilities, search_text
     FROM jsonb_to_recordset($1::jsonb) AS p (id text, name text, capabilities jsonb, search_text text)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, capabilities = excluded.capabilities, search_text = excluded.search_text`,
    [products],
  )
}

/** Creates the partitions of this month and the next three. */
export async function makeEventPartitions(db: Database, now: string): Promise<void> {
  await db.query(
    `SELECT make_event_partition((date_trunc('month', $1::timestamptz AT TIME ZONE 'UTC') + months * interval '1 month')::date)
     FROM generate_series(0, 3) AS months`,
    [now],
  )
}
