import { randomBytes } from 'node:crypto'
import { connect } from '@gatehouse-access/server'

/** A PostgreSQL server with a migrated template database, shared by one test run. */
export interface TestDatabases {
  /** The URL of the server, with the administrative database. */
  readonly admin_url: string
  readonly template: string
  /** The migrated files of a stopped PostgreSQL; undefined when the tests use an external server. */
  readonly files: string | undefined
}

export interface TestDatabase extends AsyncDisposable {
  readonly url: string
}

export function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}

/**
 * Clones the template into a new database within milliseconds. Copies the files, because the default strategy
 * goes through the WAL and takes a second.
 */
export async function cloneDatabase({ admin_url, template }: TestDatabases): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await administer(admin_url, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
  return {
    url: withDatabase(admin_url, name),
    [Symbol.asyncDispose]: () => administer(admin_url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  }
}

/**
 * Clones the template for a service that starts for the first time. In a copy a new epoch of the feed would begin, which
 * takes longer than the rest of the start, so the template's goes on.
 */
export async function newDatabase(databases: TestDatabases): Promise<TestDatabase> {
  const database = await cloneDatabase(databases)
  await administer(
    database.url,
    `UPDATE feed_epoch_marker SET place = pg_relation_filepath('feed_epoch_marker')`,
  )
  return database
}

export async function administer(url: string, statement: string): Promise<void> {
  await using db = connect({ url }, 1)
  await db.query(statement, [], { prepare: false })
}
