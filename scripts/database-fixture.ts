import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { connect, type Database, startEmbedded } from '@gatehouse-access/server'
import { findFreePort, startService } from '../packages/testkit/src/service.ts'
import { checkOut } from '../test/upgrade/check-out.ts'
import type { Fixture } from '../test/upgrade/fixture.ts'

/**
 * Writes the demo database of a released version for test/upgrade: `node scripts/database-fixture.ts VERSION
 * COMMIT`.
 */
const [version, commit] = process.argv.slice(2)
if (!version || !commit) throw new Error('say which version, and which commit it is')
/** Protects nothing: the fixture is public. */
const secret_key = Buffer.alloc(32, 'fixture').toString('base64')

await using old = await checkOut(commit)
const checkout = old.path
const data_dir = await mkdtemp(join(tmpdir(), 'gatehouse-fixture-'))
const silent = { info() {}, warn() {}, error() {} }
{
  await using embedded = await startEmbedded({ data_dir, log: silent, durable: false })
  const { host, port, user, database } = embedded.connection
  const url = `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
  await useService(url, checkout)
  await using db = connect({ url }, 1)
  const fixture: Fixture = {
    version,
    commit,
    secret_key,
    migrations: await hashMigrations(checkout),
    tables: await readTables(db),
    sequences: await readSequences(db),
  }
  const file = new URL(`../test/upgrade/released/${version}.json.gz`, import.meta.url)
  await writeFile(file, gzipSync(JSON.stringify(fixture), { level: 9 }))
}
await rm(data_dir, { recursive: true })

/** Runs that version until its audit chain has sealed the events of the demo. */
async function useService(url: string, folder: string): Promise<void> {
  const env = {
    DATABASE_URL: url,
    GATEHOUSE_SECRET_KEY: secret_key,
    GATEHOUSE_DATA_DIR: data_dir,
    GATEHOUSE_DEMO: 'true',
  }
  const program = join(folder, 'packages/server/src/main.ts')
  await using _service = await startService({ port: await findFreePort(), env, program })
  await using db = connect({ url }, 1)
  const open =
    'SELECT 1 FROM events e LEFT JOIN audit_links l ON l.event_id = e.id WHERE l.event_id IS NULL LIMIT 1'
  while ((await db.query(open)).length > 0) await new Promise(resolve => setTimeout(resolve, 100))
}

async function hashMigrations(folder: string): Promise<Record<string, string>> {
  const path = join(folder, 'packages/server/migrations')
  const names = (await readdir(path)).sort()
  const hash = async (name: string) =>
    createHash('sha256')
      .update(await readFile(join(path, name)))
      .digest('hex')
  return Object.fromEntries(await Promise.all(names.map(async name => [name, await hash(name)])))
}

/** As text, since numbers in it may be larger than JavaScript's. */
async function readTables(db: Database): Promise<Record<string, string>> {
  const tables = await db.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
       AND NOT relispartition AND relpersistence = 'p' AND relname <> 'schema_migrations' ORDER BY relname`,
  )
  const read: [string, string][] = []
  for (const { name } of tables) {
    const [row] = await db.query<{ rows: string | null }>(
      `SELECT jsonb_agg(to_jsonb(t))::text AS rows FROM "${name}" t`,
      [],
      { prepare: false },
    )
    if (row?.rows) read.push([name, row.rows])
  }
  return Object.fromEntries(read)
}

async function readSequences(db: Database): Promise<Record<string, string>> {
  const rows = await db.query<{ name: string; last: string }>(
    `SELECT sequencename AS name, last_value::text AS last FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL`,
  )
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]))
}
