import type { Database } from '../database/db.ts'
import { type BulkDeletion, findBulkDeletion } from './bulk-deletion.ts'
import { areAhead } from './devices-ahead.ts'
import { findOpenRestore, type OpenRestore } from './restores.ts'

/** Something that was revoked after the backup and came back with it. */
export interface Reviewed {
  readonly organization_id: string
  readonly kind: string
  readonly id: string
  /** The name of the member, device, group and so on, as far as there is one. */
  readonly name: string | null
  readonly member_id: string | null
  readonly how: string
  readonly revoked_at: string
  /** False: noted only, because too much depends on it. It is as it was at the time of the backup. */
  readonly is_suspended_by_restore: boolean
}

export interface Review {
  readonly restore: OpenRestore
  readonly revoked: readonly Reviewed[]
  /** What happened between these times may be lost. */
  readonly window: { readonly from: string; readonly until: string }
  readonly devices_ahead: readonly DeviceAhead[]
  readonly unknown_members: readonly Stranger[]
  readonly pending_deliveries: readonly PendingDeliveries[]
  readonly bulk_deletion: BulkDeletion | null
}

interface DeviceAhead {
  readonly id: string
  readonly organization_id: string
  readonly name: string | null
  readonly version: number
  readonly known_version: number
}

interface Stranger {
  readonly id: string
  readonly organization_id: string
  readonly device_id: string
  readonly seen_at: string
}

interface PendingDeliveries {
  readonly id: string
  readonly organization_id: string
  readonly deliveries: number
}

/** Returns undefined if nothing waits for a confirmation. */
export async function reviewRestore(db: Database): Promise<Review | undefined> {
  const restore = await findOpenRestore(db)
  if (!restore) return undefined
  const revoked = await readRevoked(db)
  return {
    restore,
    revoked,
    window: { from: restore.target, until: latest(restore.target, restore.ledger_until ?? restore.began_at) },
    devices_ahead: await readDevices(db),
    unknown_members: await readStrangers(db),
    pending_deliveries: await readPending(db),
    bulk_deletion: findBulkDeletion(revoked) ?? null,
  }
}

function latest(a: string, b: string): string {
  return a > b ? a : b
}

function readRevoked(db: Database): Promise<Reviewed[]> {
  return db.query<Reviewed>(
    `SELECT s.organization_id, s.kind, s.id, coalesce(m.name, g.name, d.name, c.name, h.name, o.name, y.name, u.email, s.held->>'email') AS name,
       coalesce(e.member_id, l.member_id, p.member_id, k.member_id, t.member_id, a.member_id) AS member_id, s.how, s.revoked_at, s.is_suspended AS is_suspended_by_restore
     FROM restore_suspensions s
     LEFT JOIN member_emails e ON s.kind = 'member_email' AND (e.organization_id, e.id) = (s.organization_id, s.id)
     LEFT JOIN member_magic_links l ON s.kind = 'member_magic_link' AND (l.organization_id, l.id) = (s.organization_id, s.id)
     LEFT JOIN member_pins p ON s.kind = 'member_pin' AND (p.organization_id, p.id) = (s.organization_id, s.id)
     LEFT JOIN member_cards k ON s.kind = 'member_card' AND (k.organization_id, k.id) = (s.organization_id, s.id)
     LEFT JOIN member_tokens t ON s.kind = 'member_token' AND (t.organization_id, t.id) = (s.organization_id, s.id)
     LEFT JOIN member_group_associations a ON s.kind = 'member_group_association' AND (a.organization_id, a.id) = (s.organization_id, s.id)
     LEFT JOIN members m ON (m.organization_id, m.id) = (s.organization_id, coalesce(e.member_id, l.member_id, p.member_id, k.member_id, t.member_id, a.member_id, s.id))
     LEFT JOIN member_groups g ON s.kind = 'member_group' AND (g.organization_id, g.id) = (s.organization_id, s.id)
     LEFT JOIN devices d ON s.kind IN ('device', 'device_secret') AND (d.organization_id, d.id) = (s.organization_id, s.id)
     LEFT JOIN cards c ON s.kind = 'card' AND (c.organization_id, c.id) = (s.organization_id, s.id)
     LEFT JOIN schedules h ON s.kind = 'schedule' AND (h.organization_id, h.id) = (s.organization_id, s.id)
     LEFT JOIN gadgets o ON s.kind = 'override' AND (o.organization_id, o.id) = (s.organization_id, s.id)
     LEFT JOIN emergencies y ON s.kind = 'emergency' AND (y.organization_id, y.id) = (s.organization_id, s.id)
     LEFT JOIN users u ON s.kind = 'user' AND u.id = s.id
     WHERE s.settled IS NULL ORDER BY s.revoked_at, s.id`,
  )
}

function readDevices(db: Database): Promise<DeviceAhead[]> {
  return db.query<DeviceAhead>(
    `SELECT r.device_id AS id, r.organization_id, (SELECT name FROM devices d WHERE d.organization_id = r.organization_id AND d.id = r.device_id) AS name,
       r.version::float8 AS version, coalesce(p.version, 0)::float8 AS known_version ${areAhead} ORDER BY r.organization_id, r.device_id`,
  )
}

function readStrangers(db: Database): Promise<Stranger[]> {
  return db.query<Stranger>(
    'SELECT member_id AS id, organization_id, device_id, seen_at FROM restore_strangers ORDER BY organization_id, member_id, device_id',
  )
}

function readPending(db: Database): Promise<PendingDeliveries[]> {
  return db.query<PendingDeliveries>(
    `SELECT webhook_id AS id, organization_id, sum(count)::float8 AS deliveries FROM (
       SELECT organization_id, webhook_id, sum(cardinality(event_ids)) AS count FROM webhook_batches GROUP BY 1, 2
       UNION ALL SELECT organization_id, webhook_id, count(*) FROM webhook_deliveries WHERE status = 'pending' GROUP BY 1, 2) w
     GROUP BY organization_id, webhook_id ORDER BY organization_id, webhook_id`,
  )
}
