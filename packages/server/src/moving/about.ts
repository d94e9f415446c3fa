import { loadAuditKeys, publicKeys } from '../audit/keys.ts'
import { verifyChain } from '../audit/verify/chain.ts'
import { BackupError } from '../backup/archive/backup-error.ts'
import { readTables } from '../backup/logical/schema.ts'
import type { Config } from '../config/config.ts'
import { version } from '../config/version.ts'
import type { Database } from '../database/db.ts'
import { findOpenRestore } from '../recovery/restores.ts'
import { columnsOf, early, fromTable, late, type MovedTable } from './tables.ts'

/** A table in the file. */
interface TableInFile {
  readonly name: MovedTable
  readonly columns: readonly string[]
  readonly rows: number
}

export interface MovedUser {
  readonly email: string
  readonly role: string
}

/** An application that acts for the organization. Without `is_own` it acts for others too, and leaves its secret behind. */
export interface MovedApplication {
  readonly id: string
  readonly name: string
  readonly is_own: boolean
  readonly is_deleted: boolean
  readonly is_public: boolean
  readonly requires_pkce: boolean
  readonly secret_hash: string | null
  readonly redirect_uris: readonly string[]
  readonly developer: string | null
  readonly created_at: string
  /** Null if only webhooks are left of it. */
  readonly scopes: readonly string[] | null
  readonly installed_at: string | null
}

/** What the file says of itself. It comes first in it. */
export interface About {
  readonly format: 1
  readonly organization: { readonly id: string; readonly name: string }
  readonly exported_at: string
  /** The version of Gatehouse. */
  readonly version: string
  readonly migrations: readonly string[]
  /** The first day of each month that has events. */
  readonly months: readonly string[]
  /** Where the audit chain ends. Later events are not linked yet. */
  readonly links: number
  /** The keys with which the source signs. */
  readonly public_keys: readonly string[]
  readonly users: readonly MovedUser[]
  readonly applications: readonly MovedApplication[]
  readonly tables: readonly TableInFile[]
}

/** Describes an organization, and refuses one that cannot move. */
export async function describeOrganization(
  db: Database,
  { secret_keys }: Pick<Config, 'secret_keys'>,
  id: string,
): Promise<About> {
  const organization = await findOrganization(db, id)
  return {
    format: 1,
    organization,
    exported_at: new Date().toISOString(),
    version,
    migrations: await readMigrations(db),
    months: await readMonths(db, id),
    links: await countLinks(db, id),
    public_keys: publicKeys(await loadAuditKeys(db, secret_keys)),
    users: await readUsers(db, id),
    applications: await readApplications(db, id),
    tables: await readMoved(db, id),
  }
}

/** Throws unless the audit chain is as this installation has sealed it. */
export async function requireWholeChain(
  db: Database,
  { secret_keys }: Pick<Config, 'secret_keys'>,
  { organization: { id }, public_keys, links }: About,
): Promise<void> {
  const keys = await loadAuditKeys(db, secret_keys)
  const { first_break, events } = await verifyChain(db, id, [], { keys, trusted: public_keys })
  if (!first_break && events === links) return
  const what = first_break?.message ?? `${events} of ${links} links can be read`
  throw new BackupError(
    `The audit chain of ${id} is broken: ${what}. gatehouse audit verify says more; a broken chain does not move.`,
  )
}

async function findOrganization(db: Database, id: string): Promise<About['organization']> {
  await requireNotRecovered(db)
  const [row] = await db.query<{ id: string; name: string; is_deleted: boolean }>(
    'SELECT id, name, is_deleted FROM organizations WHERE id = $1',
    [id],
  )
  if (!row) throw new BackupError(`There is no organization ${id}: gatehouse organizations lists them.`)
  if (row.is_deleted) throw new BackupError(`The organization ${id} is deleted: restore it first.`)
  return { id, name: row.name }
}

/** Neither side of a move may be in doubt about what is revoked. */
export async function requireNotRecovered(db: Database): Promise<void> {
  if (await findOpenRestore(db))
    throw new BackupError(
      'This installation was restored from a backup and is read-only: run gatehouse restore confirm first.',
    )
}

export async function readMigrations(db: Database): Promise<string[]> {
  const rows = await db.query<{ name: string }>('SELECT name FROM schema_migrations ORDER BY name')
  return rows.map(({ name }) => name)
}

async function readMonths(db: Database, id: string): Promise<string[]> {
  const rows = await db.query<{ month: string }>(
    `SELECT DISTINCT to_char(recorded_at AT TIME ZONE 'UTC', 'YYYY-MM') || '-01' AS month FROM events WHERE organization_id = $1 ORDER BY 1`,
    [id],
  )
  return rows.map(({ month }) => month)
}

async function countLinks(db: Database, id: string): Promise<number> {
  const [row] = await db.query<{ count: string }>(
    `SELECT count(*) AS count FROM audit_links WHERE organization_id = $1
     AND number > coalesce((SELECT number FROM audit_starts WHERE organization_id = $1), 0)`,
    [id],
  )
  return Number(row?.count)
}

/** Front desks and installers are appointed again: an older installation would not know what they may not do. */
async function readUsers(db: Database, id: string): Promise<MovedUser[]> {
  return db.query<{ email: string; role: string }>(
    `SELECT u.email, m.role FROM organization_users m JOIN users u ON u.id = m.user_id WHERE m.organization_id = $1
     AND m.duty IS NULL ORDER BY m.created_at, u.id`,
    [id],
  )
}

async function readApplications(db: Database, id: string): Promise<MovedApplication[]> {
  return db.query<MovedApplication>(
    `SELECT a.id, a.name, a.is_deleted, a.is_public, a.requires_pkce, encode(a.secret_hash, 'hex') AS secret_hash, a.redirect_uris,
       u.email AS developer, a.created_at, i.scopes, i.created_at AS installed_at,
       NOT EXISTS (SELECT 1 FROM installations x WHERE x.oauth_application_id = a.id AND x.organization_id <> $1) AS is_own
     FROM oauth_applications a LEFT JOIN installations i ON i.oauth_application_id = a.id AND i.organization_id = $1
     LEFT JOIN users u ON u.id = a.developer_id
     WHERE i.organization_id IS NOT NULL OR EXISTS (SELECT 1 FROM webhooks w WHERE w.organization_id = $1 AND w.oauth_application_id = a.id)
     ORDER BY a.created_at, a.id`,
    [id],
  )
}

async function readMoved(db: Database, id: string): Promise<TableInFile[]> {
  const all = new Map((await readTables(db)).map(({ name, columns }) => [name, columns]))
  const found: TableInFile[] = []
  for (const name of [...early, ...late]) {
    const columns = columnsOf(name, all.get(name) ?? [])
    found.push({ name, columns, rows: await countTable(db, name, id) })
  }
  return found
}

async function countTable(db: Database, name: MovedTable, id: string): Promise<number> {
  const [row] = await db.query<{ count: string }>(`SELECT count(*) AS count ${fromTable(name, id)}`, [], {
    prepare: false,
  })
  return Number(row?.count)
}
