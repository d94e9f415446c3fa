import { randomBytes } from 'node:crypto'
import { connect } from '@gatehouse/server'

/** A PostgreSQL with a migrated template database, shared by one run of the tests. */
export interface TestDatabases {
  /** URL of the server, with the database to administer it from. */
  readonly admin_url: string
  readonly template: string
  /** The migrated files of a PostgreSQL that is not running; undefined where the server is not ours. */
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

/** A database of its own, cloned from the template in milliseconds: as files, since page by page through the log takes a second. */
export async function cloneDatabase({ admin_url, template }: TestDatabases): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await administer(admin_url, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
  return {
    url: withDatabase(admin_url, name),
    [Symbol.asyncDispose]: () => administer(admin_url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  }
}

export async function administer(url: string, statement: string): Promise<void> {
  await using db = connect({ url }, 1)
  await db.query(statement, [], { prepare: false })
}
