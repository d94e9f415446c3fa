import { readdir, readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { type Database, issueAccessToken, type Pool, systemClock } from '@gatehouse-access/server'
import { loadMigrations } from '../../packages/server/src/store/migration/migrations.ts'

/** The demo database of a released version, written by scripts/database-fixture.ts. */
export interface Fixture {
  readonly version: string
  /** The commit that was released. */
  readonly commit: string
  readonly secret_key: string
  /** The SHA-256 of each migration that the version had. */
  readonly migrations: Readonly<Record<string, string>>
  /** A JSON array of rows by table. */
  readonly tables: Readonly<Record<string, string>>
  readonly sequences: Readonly<Record<string, string>>
}

const folder = new URL('released/', import.meta.url)

export async function readFixtures(): Promise<Fixture[]> {
  const names = (await readdir(folder)).sort()
  return Promise.all(
    names.map(async name => JSON.parse(String(gunzipSync(await readFile(new URL(name, folder)))))),
  )
}

/** Issues a token with all rights in the first organization of the demo. */
export function issueToken(db: Pool, { tables }: Fixture): Promise<string> {
  const [{ organization_id, oauth_application_id }] = JSON.parse(tables.installations ?? '[]')
  const grant = { organization_id, oauth_application_id, scopes: ['full_read_write'] }
  return issueAccessToken({ db, clock: systemClock } as never, grant)
}

/** Fills an empty database with the schema and the rows that the version left. */
export async function restoreFixture(
  db: Database,
  { migrations, tables, sequences }: Fixture,
): Promise<void> {
  await db.transaction(async inner => {
    await inner.query(
      'CREATE TABLE schema_migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL)',
    )
    for (const { name, text } of await loadMigrations()) {
      if (!(name in migrations)) continue
      await inner.query(text, [], { prepare: false })
      await inner.query('INSERT INTO schema_migrations VALUES ($1, now())', [name])
    }
    // Rows come in the order of their tables' names, so references are not checked.
    await inner.query('SET LOCAL session_replication_role = replica')
    await inner.query(
      `SELECT make_event_partition(month::date) FROM (SELECT DISTINCT date_trunc('month', (e->>'recorded_at')::timestamptz AT TIME ZONE 'UTC') AS month
         FROM jsonb_array_elements($1::text::jsonb) AS e) m`,
      [tables.events ?? '[]'],
    )
    for (const [name, rows] of Object.entries(tables)) await fill(inner, name, rows)
    for (const [name, last] of Object.entries(sequences))
      await inner.query('SELECT setval($1::text::regclass, $2::text::bigint)', [name, last])
  })
}

async function fill(db: Database, table: string, rows: string): Promise<void> {
  const found = await db.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    [table],
  )
  const columns = found.map(({ name }) => `"${name}"`).join(', ')
  await db.query(`DELETE FROM "${table}"`)
  await db.query(
    `INSERT INTO "${table}" (${columns}) OVERRIDING SYSTEM VALUE
     SELECT ${columns} FROM jsonb_populate_recordset(NULL::"${table}", $1::text::jsonb)`,
    [rows],
  )
}
