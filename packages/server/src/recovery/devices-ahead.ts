import type { Database } from '../database/db.ts'

interface DeviceKey {
  readonly organization_id: string
  readonly device_id: string
}

/** Records the version of its policy that a device claims while the service is recovered. */
export async function notePolicy(
  db: Database,
  { organization_id, device_id }: DeviceKey,
  version: number,
  now: string,
): Promise<void> {
  await db.query(
    `INSERT INTO restore_devices (organization_id, device_id, version, seen_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (organization_id, device_id) DO UPDATE SET version = excluded.version, seen_at = excluded.seen_at`,
    [organization_id, device_id, version, now],
  )
}

/** Records members that a device tells of and that the database does not know. */
export async function noteStrangers(
  db: Database,
  { organization_id, device_id }: DeviceKey,
  members: readonly string[],
  now: string,
): Promise<void> {
  if (members.length === 0) return
  await db.query(
    `INSERT INTO restore_strangers (organization_id, member_id, device_id, seen_at)
     SELECT $1, member_id, $2, $4 FROM unnest($3::text[]) AS member_id ON CONFLICT DO NOTHING`,
    [organization_id, device_id, members, now],
  )
}

/** Devices whose policy is newer than the database knows. */
export const areAhead = `FROM restore_devices r LEFT JOIN device_policies p ON p.organization_id = r.organization_id AND p.device_id = r.device_id
  WHERE r.version > greatest(p.version, p.applied_version, 0)`

/**
 * Raises versions above what devices hold, and forgets what the devices had: each gets a snapshot under a
 * number that it has not seen.
 */
export async function raiseVersions(db: Database): Promise<void> {
  await db.query(
    `INSERT INTO device_policies AS p (organization_id, device_id, version)
     SELECT r.organization_id, r.device_id, r.version + 1 ${areAhead}
     ON CONFLICT (organization_id, device_id) DO UPDATE SET version = excluded.version, hash = NULL, places_hash = NULL, applied_version = 0,
       applied_hash = NULL, applied_places_hash = NULL, applied_epoch = NULL, applied_snapshot = NULL, applied_at = NULL`,
  )
}
