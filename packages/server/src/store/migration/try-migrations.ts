import { randomBytes } from 'node:crypto'
import type { Database } from '../../database/db.ts'
import { messageOf } from '../../flow/failures.ts'
import { applyMigration, compareSchema, makeMigrationTable } from './migrate.ts'
import { loadMigrations } from './migrations.ts'

export interface Trial {
  readonly pending: readonly string[]
  /** Migrations of a newer version: this one cannot run on the database. */
  readonly newer: readonly string[]
  /** Columns in which the database differs from what its migrations create. */
  readonly differences: readonly string[]
  /** The migration that fails, and why. */
  readonly failure: { readonly name: string; readonly reason: string } | undefined
}

/**
 * Tries the migrations that are pending on a copy of the schema, which is built from the migrations that the
 * database has had. It holds no data and is never committed, so nothing is left. Readers of the feed wait for the
 * second or two that its transaction takes.
 */
export async function tryMigrations(db: Database, now: string): Promise<Trial> {
  const { applied, pending, newer } = await compareSchema(db)
  const found = { pending, newer, differences: [] as string[], failure: undefined }
  if (newer.length > 0 || pending.length === 0) return found
  const migrations = await loadMigrations()
  return inCopy(db, async copy => {
    for (const migration of migrations)
      if (applied.includes(migration.name)) await applyMigration(copy, migration, now)
    found.differences.push(...(await listDifferences(copy)))
    for (const migration of migrations)
      try {
        if (pending.includes(migration.name)) await applyMigration(copy, migration, now)
      } catch (error) {
        return { ...found, failure: { name: migration.name, reason: messageOf(error) } }
      }
    return found
  })
}

class Enough extends Error {}

const extensions = `(SELECT string_agg(DISTINCT quote_ident(n.nspname), ', ') FROM pg_extension e
  JOIN pg_namespace n ON n.oid = e.extnamespace WHERE n.nspname <> 'pg_catalog')`

/** Runs `work` in a new schema, in a transaction that is rolled back. */
async function inCopy<T>(db: Database, work: (copy: Database) => Promise<T>): Promise<T> {
  const schema = `gatehouse_trial_${randomBytes(6).toString('hex')}`
  let done: { value: T } | undefined
  await db
    .transaction(async copy => {
      await copy.query('SET LOCAL statement_timeout = 0')
      await copy.query(`SELECT set_config('gatehouse.trial_of', current_schema(), true)`)
      await copy.query(`CREATE SCHEMA ${schema}`)
      // Extensions exist once in a database: what they bring is found behind the copy.
      await copy.query(`SELECT set_config('search_path', concat_ws(', ', $1::text, ${extensions}), true)`, [
        schema,
      ])
      await makeMigrationTable(copy)
      done = { value: await work(copy) }
      throw new Enough()
    })
    .catch(error => {
      if (!(error instanceof Enough)) throw error
    })
  if (!done) throw new Error('the trial has no result')
  return done.value
}

/** Partitions are made by time, not by migrations. */
async function listDifferences(copy: Database): Promise<string[]> {
  const rows = await copy.query<{ line: string; is_real: boolean }>(
    `SELECT line, bool_or(is_real) AS is_real FROM (
       SELECT c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) AS line,
         c.relnamespace <> current_schema()::regnamespace AS is_real
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
       WHERE c.relnamespace IN (current_schema()::regnamespace, current_setting('gatehouse.trial_of')::regnamespace)
         AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped
     ) columns GROUP BY line HAVING count(*) = 1 ORDER BY line`,
  )
  return rows.map(({ line, is_real }) => (is_real ? `has ${line}` : `lacks ${line}`))
}
