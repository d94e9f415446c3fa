import { BackupError } from '../backup/archive/backup-error.ts'
import { DamagedError } from '../backup/archive/damaged-error.ts'
import { readTables } from '../backup/logical/schema.ts'
import type { Config } from '../config/config.ts'
import { version } from '../config/version.ts'
import type { Database } from '../database/db.ts'
import { findKeyFault } from '../services/keys/service-keys.ts'
import { type About, readMigrations, requireNotRecovered } from './about.ts'
import { columnsOf, early, late } from './tables.ts'

/** Throws if the organization in the file cannot be imported here. Changes nothing. */
export async function requireImportable(
  db: Database,
  { secret_keys }: Pick<Config, 'secret_keys'>,
  about: About,
): Promise<void> {
  await requireSameSchema(db, about)
  await requireSameColumns(db, about)
  await requireNotRecovered(db)
  const fault = await findKeyFault(db, secret_keys)
  if (fault) throw new BackupError(fault)
  const { id } = about.organization
  const [there] = await db.query<{ is_deleted: boolean }>(
    'SELECT is_deleted FROM organizations WHERE id = $1',
    [id],
  )
  if (there)
    throw new BackupError(
      there.is_deleted
        ? `The organization ${id} was here before and is deleted: its id is never used again.`
        : `The organization ${id} is here already: one that exists is never imported over.`,
    )
}

async function requireSameSchema(db: Database, about: About): Promise<void> {
  const here = new Set(await readMigrations(db))
  const there = new Set(about.migrations)
  const [missing] = there.difference(here)
  const [extra] = here.difference(there)
  if (missing === undefined && extra === undefined) return
  throw new BackupError(
    `The file was written by version ${about.version} of Gatehouse, and this is ${version}: the tables differ (${missing ?? extra}), so bring both installations to the same version and export again.`,
  )
}

/** Names from the file become part of statements, so they must be those of this installation. */
async function requireSameColumns(db: Database, about: About): Promise<void> {
  const here = new Map((await readTables(db)).map(({ name, columns }) => [name, columns]))
  const given = new Map(about.tables.map(({ name, columns }) => [name, columns]))
  for (const name of [...early, ...late]) {
    const known = columnsOf(name, here.get(name) ?? []).sort()
    if (known.join() !== [...(given.get(name) ?? [])].sort().join())
      throw new DamagedError(`it does not hold ${name} with the columns of this version`)
  }
}
