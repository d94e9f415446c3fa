import type { Session } from '../../database/session.ts'
import { applyMigrations } from '../../store/migration/migrate.ts'
import { BackupError } from '../archive/backup-error.ts'
import { DamagedError } from '../archive/damaged-error.ts'
import { readEntries } from '../archive/entries.ts'
import { quote } from '../folder/tables.ts'
import { type About, readAllTables, readForeignKeys } from './schema.ts'

/**
 * Loads a logical backup into an empty database, in one transaction: the tables of its version, then its
 * rows. `conclude` gets the keys of the service that wrote it, and is the last step of the transaction.
 */
export async function loadRows(
  session: Session,
  content: AsyncIterable<Uint8Array>,
  now: string,
  conclude: (keys: string) => Promise<void> = async () => {},
): Promise<void> {
  await session.query('SET idle_in_transaction_session_timeout = 0')
  await session.transaction('BEGIN', async () => {
    await requireEmptyDatabase(session)
    let [keys, about] = ['', undefined as About | undefined]
    let foreign: Awaited<ReturnType<typeof readForeignKeys>> = []
    for await (const { path, content: own = nothing() } of readEntries(content)) {
      if (path === 'secret-key') keys = await readText(own)
      else if (path === 'about.json') {
        about = JSON.parse(await readText(own)) as About
        foreign = await createTables(session, about, now)
      } else await loadTable(session, about, path, own)
    }
    if (!about) throw new DamagedError('it does not say which tables it holds')
    await finish(session, about, foreign)
    await conclude(keys)
  })
}

export async function requireEmptyDatabase(session: Session): Promise<void> {
  if ((await readAllTables(session)).length > 0)
    throw new BackupError(
      'The database is not empty: create another, and name it with --into or DATABASE_URL.',
    )
}

/** Rows come in any order, so references between them are checked at the end. */
async function createTables(session: Session, about: About, now: string) {
  await applyMigrations(session, about.migrations, now)
  for (const month of about.months) await session.query('SELECT make_event_partition($1::date)', [month])
  const foreign = await readForeignKeys(session)
  for (const { table, name } of foreign)
    await run(session, `ALTER TABLE ${quote(table)} DROP CONSTRAINT ${quote(name)}`)
  const tables = await readAllTables(session)
  await run(session, `TRUNCATE ${tables.map(quote).join(', ')}`)
  for (const table of tables) await run(session, `ALTER TABLE ${quote(table)} DISABLE TRIGGER USER`)
  return foreign
}

async function loadTable(
  session: Session,
  about: About | undefined,
  path: string,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  const table = about?.tables.find(({ name }) => path === `tables/${name}`)
  if (!table) throw new DamagedError(`it holds ${JSON.stringify(path)}, which it does not tell of`)
  await session.copyIn(
    `COPY ${quote(table.name)} (${table.columns.map(quote).join(', ')}) FROM STDIN`,
    content,
  )
}

async function finish(
  session: Session,
  about: About,
  foreign: Awaited<ReturnType<typeof readForeignKeys>>,
): Promise<void> {
  for (const { name, last_value } of about.sequences)
    if (last_value !== null)
      await session.query('SELECT setval($1::regclass, $2::bigint)', [name, last_value])
  for (const { table, name, definition } of foreign)
    await run(session, `ALTER TABLE ${quote(table)} ADD CONSTRAINT ${quote(name)} ${definition}`)
  for (const table of await readAllTables(session))
    await run(session, `ALTER TABLE ${quote(table)} ENABLE TRIGGER USER`)
}

async function run(session: Session, text: string): Promise<void> {
  await session.query(text, [], { prepare: false })
}

async function readText(content: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of content) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
