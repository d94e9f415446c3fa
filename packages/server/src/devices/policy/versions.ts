import type { Database } from '../../database/db.ts'
import type { Moment } from '../../database/moment.ts'

/**
 * A version of a slice, which includes everything up to its moment. Without a `places_hash` it is part of a
 * change, and the rest follows.
 */
export interface Version extends Moment {
  readonly version: number
  readonly hash: string
  readonly places_hash: string
}

/** The current and the confirmed version of a device, and the generation of its key. */
export interface StoredVersions {
  readonly generation: number
  readonly version: number
  readonly hash: string | null
  /** The capabilities that the device is said to lack. */
  readonly missing: readonly string[]
  /** Versions that a delta can build on: those whose hash is known. */
  readonly known: readonly Version[]
}

export async function readVersions(
  db: Database,
  organizationId: string,
  deviceId: string,
): Promise<StoredVersions> {
  const [row] = await db.query<PolicyRow>(
    `WITH made AS (INSERT INTO device_policies (organization_id, device_id) VALUES ($1, $2) ON CONFLICT DO NOTHING)
     SELECT generation, version::float8 AS version, hash, places_hash, epoch, snapshot::text AS snapshot,
       applied_version::float8 AS applied_version, applied_hash, applied_places_hash, applied_epoch, applied_snapshot::text AS applied_snapshot,
       (SELECT status->'missing_capabilities' FROM devices d WHERE d.organization_id = $1 AND d.id = $2) AS missing
     FROM device_policies WHERE organization_id = $1 AND device_id = $2`,
    [organizationId, deviceId],
  )
  if (!row) return { generation: 1, version: 0, hash: null, missing: [], known: [] }
  const applied = knownVersion({
    version: row.applied_version,
    hash: row.applied_hash,
    places_hash: row.applied_places_hash,
    epoch: row.applied_epoch,
    snapshot: row.applied_snapshot,
  })
  const { generation, version, hash, missing } = row
  return { generation, version, hash, missing: missing ?? [], known: [...applied, ...knownVersion(row)] }
}

type Maybe<T> = { readonly [Key in keyof T]: T[Key] | null }
type PolicyRow = Maybe<Version> & {
  readonly [Key in keyof Version as `applied_${Key}`]: Version[Key] | null
} & {
  readonly generation: number
  readonly version: number
  readonly missing: string[] | null
}

function knownVersion({ version, hash, places_hash, epoch, snapshot }: Maybe<Version>): Version[] {
  return version && hash && places_hash && epoch && snapshot
    ? [{ version, hash, places_hash, epoch, snapshot }]
    : []
}

export interface VersionOfDevice extends Version {
  /** The epoch in which it was made. Its moment may be of an earlier one: that of the version it continues. */
  readonly made_in: number
  readonly organization_id: string
  readonly device_id: string
  readonly connection_id: string
  readonly at: string
}

const recordset = `jsonb_to_recordset($1::jsonb) AS e(organization_id text, device_id text, connection_id text, version bigint, hash text,
  places_hash text, epoch integer, snapshot text, made_in integer, at timestamptz)`
/**
 * The versions to store, with their devices locked. Accepts only versions from the device's current connection, and
 * only if they were made in the current epoch or are already stored with the device. Since another epoch the database
 * may have lost what the version includes. Locks in the order of ids: versions that are sent and versions that are
 * confirmed are stored at the same time, of the same devices.
 */
const accepted = (condition = 'true') => `SELECT e.* FROM ${recordset} JOIN device_connections c
    ON c.organization_id = e.organization_id AND c.device_id = e.device_id AND c.connection_id = e.connection_id
  JOIN device_policies p ON p.organization_id = e.organization_id AND p.device_id = e.device_id
  WHERE (e.made_in = (SELECT feed_epoch()) OR (e.hash, e.epoch, e.snapshot) IN ((p.hash, p.epoch, p.snapshot::text), (p.applied_hash, p.applied_epoch, p.applied_snapshot::text)))
    AND ${condition}
  ORDER BY p.organization_id, p.device_id FOR NO KEY UPDATE OF p`
const isOfDevice = 'p.organization_id = e.organization_id AND p.device_id = e.device_id'

/**
 * Stores versions that are about to be sent. Returns the connections that their device still has: a process
 * that lost a device must not record its version.
 */
export async function storeVersions(
  db: Database,
  versions: readonly VersionOfDevice[],
): Promise<Set<string>> {
  if (versions.length === 0) return new Set()
  const rows = await db.query<{ epoch: number; connection_id: string | null }>(
    `WITH e AS MATERIALIZED (${accepted()}), stored AS (
       UPDATE device_policies p SET version = e.version, hash = e.hash, places_hash = e.places_hash, epoch = e.epoch,
         snapshot = e.snapshot::pg_snapshot, changed_at = e.at FROM e WHERE ${isOfDevice} RETURNING e.connection_id)
     SELECT now.epoch, stored.connection_id FROM (SELECT feed_epoch() AS epoch) now LEFT JOIN stored ON true`,
    [versions],
  )
  const stored = new Set(rows.flatMap(row => row.connection_id ?? []))
  const isOver = ({ made_in, connection_id }: VersionOfDevice) =>
    made_in !== rows[0]?.epoch && !stored.has(connection_id)
  if (versions.some(isOver)) throw new Error('the epoch of these versions is over')
  return stored
}

const isNews =
  '(p.applied_version < e.version OR (p.applied_epoch, p.applied_snapshot::text) IS DISTINCT FROM (e.epoch, e.snapshot))'

/** Stores what devices have confirmed. */
export async function storeApplied(db: Database, versions: readonly VersionOfDevice[]): Promise<void> {
  if (versions.length === 0) return
  await db.query(
    `WITH e AS MATERIALIZED (${accepted(isNews)})
     UPDATE device_policies p SET applied_version = e.version, applied_hash = e.hash, applied_places_hash = e.places_hash,
       applied_epoch = e.epoch, applied_snapshot = e.snapshot::pg_snapshot, applied_at = e.at FROM e WHERE ${isOfDevice}`,
    [versions],
  )
}
