import { findLost } from '../../audit/heads.ts'
import { verifyAudit } from '../../audit/verify/verify.ts'
import type { SecretKeys } from '../../config/secret-key.ts'
import type { Database } from '../../database/db.ts'
import { comparePositions } from '../../events/position.ts'
import { listMigrations } from '../../store/migration/migrate.ts'
import { BackupError } from '../archive/backup-error.ts'
import type { Manifest } from '../archive/manifest.ts'
import { readFacts } from '../folder/facts.ts'
import { countRows } from '../folder/tables.ts'

/** Throws a sentence about the first thing that is missing or wrong in a restored database. */
export async function checkRestored(
  db: Database,
  manifest: Manifest,
  secret_keys: SecretKeys,
): Promise<void> {
  await checkSchema(db)
  await checkFeed(db, manifest)
  await checkChains(db, manifest, secret_keys)
  checkRows(manifest, await countRows(db))
}

async function checkSchema(db: Database): Promise<void> {
  const known = await listMigrations()
  const unknown = (await readFacts(db)).migrations.find(name => !known.includes(name))
  if (unknown)
    throw new BackupError(
      `The restored database has the migration ${unknown}, which this version does not know.`,
    )
}

async function checkFeed(db: Database, { feed_position }: Manifest): Promise<void> {
  const reached = (await readFacts(db)).feed_position
  if (comparePositions(reached, feed_position) < 0)
    throw new BackupError(`The restored feed ends at ${reached}, before ${feed_position} of the manifest.`)
}

async function checkChains(db: Database, { audit_heads }: Manifest, secret_keys: SecretKeys): Promise<void> {
  const { breaks } = await verifyAudit(db, { secret_keys })
  if (breaks[0]) throw new BackupError(`The restored audit chain is broken: ${breaks[0].message}.`)
  const closed = await db.query<{ id: string }>('SELECT id FROM audit_closings')
  const purged = new Set(closed.map(({ id }) => id))
  const heads = Object.entries(audit_heads ?? {}).map(([organization_id, head]) => ({
    organization_id,
    ...head,
  }))
  const lost = (await findLost(db, heads)).find(({ organization_id }) => !purged.has(organization_id))
  if (lost)
    throw new BackupError(
      `Link ${lost.number} of ${lost.organization_id} is in the manifest and not in the restored database.`,
    )
}

/**
 * A logical backup restores exactly the rows of its manifest. To a physical one the log was applied, in which
 * rows come and go: but all were read, and no table that had rows is empty.
 */
export function checkRows({ kind, rows }: Manifest, restored: Readonly<Record<string, number>>): void {
  for (const [table, count] of Object.entries(rows)) {
    const found = restored[table] ?? 0
    const isWrong = kind === 'logical' ? found !== count : found === 0 && count > 0 && isLasting(table)
    if (isWrong)
      throw new BackupError(`The table ${table} has ${found} rows restored, and ${count} in the manifest.`)
  }
}

/** Tables that do not become empty while an installation is used. */
function isLasting(table: string): boolean {
  return [
    'organizations',
    'events',
    'members',
    'users',
    'audit_links',
    'service_keys',
    'schema_migrations',
  ].includes(table)
}
