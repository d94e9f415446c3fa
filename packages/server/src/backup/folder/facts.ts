import about from '../../../package.json' with { type: 'json' }
import type { Database } from '../../database/db.ts'
import { formatPosition, type Position, parsePosition } from '../../events/position.ts'
import type { Manifest } from '../archive/manifest.ts'

/** More chains would make the manifest longer than anyone reads. */
const tooManyHeads = 1001

export type Facts = Pick<Manifest, 'version' | 'postgres' | 'migrations' | 'feed_position' | 'audit_heads'>

type Asker = Pick<Database, 'query'>

/** Reads what a manifest tells of the database. */
export async function readFacts(db: Asker): Promise<Facts> {
  const [server] = await db.query<{ postgres: string }>(
    `SELECT current_setting('server_version') AS postgres`,
  )
  const migrations = await db.query<{ name: string }>('SELECT name FROM schema_migrations ORDER BY name')
  const [last] = await db.query<Position & object>(
    `SELECT t.epoch, t.transaction_id::text AS transaction_id, t.sequence FROM events t
     ORDER BY t.epoch DESC, t.transaction_id DESC, t.sequence DESC LIMIT 1`,
  )
  return {
    version: about.version,
    postgres: server?.postgres ?? '',
    migrations: migrations.map(({ name }) => name),
    feed_position: formatPosition(last ?? parsePosition(undefined)),
    audit_heads: await readHeads(db),
  }
}

async function readHeads(db: Asker): Promise<Manifest['audit_heads']> {
  const rows = await db.query<{ organization_id: string; number: string; hash: Buffer }>(
    `SELECT organization_id, number, hash FROM audit_heads ORDER BY organization_id LIMIT ${tooManyHeads}`,
  )
  if (rows.length === tooManyHeads) return null
  return Object.fromEntries(
    rows.map(({ organization_id, number, hash }) => [
      organization_id,
      { number: Number(number), hash: Buffer.from(hash).toString('hex') },
    ]),
  )
}
