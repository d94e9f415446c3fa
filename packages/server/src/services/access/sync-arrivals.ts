import { sentOfMembers } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'

/** The last change of a member or of an object that belongs to it. */
export interface LastChange {
  readonly type: string
  readonly id: string
  readonly epoch: number
  readonly transaction_id: string
  readonly created_at: string
}

const types = sentOfMembers.map(({ kind }) => kind)

/** Keyed by `type id`. Events of a member's objects name the member, so one indexed read finds all. */
export async function findLastChanges(
  db: Database,
  organizationId: string,
  memberId: string,
): Promise<Map<string, LastChange>> {
  const rows = await db.query<LastChange & object>(
    `SELECT DISTINCT ON (1, 2) object->>'type' AS type, object->>((object->>'type') || '_id') AS id, epoch,
       transaction_id::text AS transaction_id, created_at FROM events e
     WHERE organization_id = $1 AND object->>'member_id' = $2 AND verb IN ('create', 'edit', 'delete') AND object->>'type' = ANY($3::text[]) AND touches_policy
     ORDER BY 1, 2, e.epoch DESC, e.transaction_id DESC, e.sequence DESC`,
    [organizationId, memberId, types],
  )
  return new Map(rows.map(row => [`${row.type} ${row.id}`, row]))
}

/**
 * Returns which of the devices have confirmed each change. A device that confirmed a version has everything
 * visible in the snapshot of that version. A change has thus arrived when its transaction is visible there.
 */
export async function findArrivals(
  db: Database,
  organizationId: string,
  changes: readonly LastChange[],
  devices: readonly string[],
): Promise<Map<string, Set<string>>> {
  if (changes.length === 0 || devices.length === 0) return new Map()
  const rows = await db.query<{ key: string; device_id: string }>(
    `SELECT e.type || ' ' || e.id AS key, p.device_id FROM jsonb_to_recordset($2::jsonb) AS e(type text, id text, epoch integer, transaction_id text)
     JOIN device_policies p ON p.organization_id = $1 AND p.device_id = ANY($3::text[]) AND p.applied_snapshot IS NOT NULL
     WHERE p.applied_epoch > e.epoch
       OR (p.applied_epoch = e.epoch AND pg_visible_in_snapshot(e.transaction_id::xid8, p.applied_snapshot))`,
    [organizationId, changes, devices],
  )
  const arrivals = new Map<string, Set<string>>()
  for (const { key, device_id } of rows) {
    const arrived = arrivals.get(key)
    if (arrived) arrived.add(device_id)
    else arrivals.set(key, new Set([device_id]))
  }
  return arrivals
}
