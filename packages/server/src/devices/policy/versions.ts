import type { Database } from '../../store/db.ts'

/**
 * A version of a slice: who has it has everything that `snapshot` can see. Without a `places_hash` it is half of a change, and
 * followed by the rest.
 */
export interface Version {
  readonly version: number
  readonly hash: string
  readonly places_hash: string
  readonly snapshot: string
}

/** The slice a device should have, the one it confirmed, and the generation of its key. */
export interface StoredVersions {
  readonly generation: number
  readonly version: number
  readonly hash: string | null
  /** Versions that a delta can build on: those whose hash is known. */
  readonly known: readonly Version[]
}

export async function readVersions(
  db: Database,
  organizationId: string,
  deviceId: string,
): Promise<StoredVersions> {
  const [row] = await db.query<Record<string, string | number | null>>(
    `WITH made AS (INSERT INTO device_policies (organization_id, device_id) VALUES ($1, $2) ON CONFLICT DO NOTHING)
     SELECT generation, version::float8 AS version, hash, places_hash, snapshot::text AS snapshot,
       coalesce(epoch = feed_epoch(), false) AS is_current, applied_version::float8 AS applied_version, applied_hash, applied_places_hash,
       applied_snapshot::text AS applied_snapshot, coalesce(applied_epoch = feed_epoch(), false) AS is_applied_current
     FROM device_policies WHERE organization_id = $1 AND device_id = $2`,
    [organizationId, deviceId],
  )
  if (!row) return { generation: 1, version: 0, hash: null, known: [] }
  const wanted = row.is_current ? versionOf(row, '') : []
  const applied = row.is_applied_current ? versionOf(row, 'applied_') : []
  return {
    generation: row.generation as number,
    version: row.version as number,
    hash: row.hash as string | null,
    known: [...applied, ...wanted],
  }
}

function versionOf(row: Record<string, unknown>, prefix: string): Version[] {
  const [version, hash, places_hash, snapshot] = ['version', 'hash', 'places_hash', 'snapshot'].map(
    name => row[prefix + name],
  )
  if (!version || !hash || !places_hash || !snapshot) return []
  return [{ version, hash, places_hash, snapshot } as Version]
}

export interface VersionOfDevice extends Version {
  readonly organization_id: string
  readonly device_id: string
  readonly connection_id: string
  readonly at: string
}

const recordset = `jsonb_to_recordset($1::jsonb) AS e(organization_id text, device_id text, connection_id text, version bigint, hash text,
  places_hash text, snapshot text, at timestamptz)`
const ofConnection = `FROM ${recordset} JOIN device_connections c ON c.organization_id = e.organization_id
  AND c.device_id = e.device_id AND c.connection_id = e.connection_id
  WHERE p.organization_id = e.organization_id AND p.device_id = e.device_id`

/**
 * Stores the versions that are about to be sent and answers the connections that still are those of their device: a
 * process that lost a device to another must not tell what it has.
 */
export async function storeVersions(
  db: Database,
  versions: readonly VersionOfDevice[],
): Promise<Set<string>> {
  if (versions.length === 0) return new Set()
  const rows = await db.query<{ connection_id: string }>(
    `UPDATE device_policies p SET version = e.version, hash = e.hash, places_hash = e.places_hash, epoch = feed_epoch(),
       snapshot = e.snapshot::pg_snapshot, changed_at = e.at ${ofConnection} RETURNING e.connection_id`,
    [versions],
  )
  return new Set(rows.map(row => row.connection_id))
}

/** Stores what devices have confirmed. */
export async function storeApplied(db: Database, versions: readonly VersionOfDevice[]): Promise<void> {
  if (versions.length === 0) return
  await db.query(
    `UPDATE device_policies p SET applied_version = e.version, applied_hash = e.hash, applied_places_hash = e.places_hash,
       applied_epoch = feed_epoch(), applied_snapshot = e.snapshot::pg_snapshot, applied_at = e.at ${ofConnection}
       AND (p.applied_version < e.version OR p.applied_snapshot::text <> e.snapshot)`,
    [versions],
  )
}
