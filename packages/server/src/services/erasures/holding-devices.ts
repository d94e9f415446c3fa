import type { WaitingDevice } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'
import type { MemberKey } from '../../erasing/erase-rows.ts'
import { findArrivals, findLastChanges } from '../access/sync-arrivals.ts'
import { findHoldingGroups } from './held-groups.ts'

/** Returns the devices whose applied policy may hold a member. */
export async function findHolding(db: Database, member: MemberKey): Promise<string[]> {
  const held = [...(await findHoldingGroups(db, member))]
  const gone = await findForgotten(db, member, held)
  return [...held.filter(id => !gone.has(id)), ...(await findAway(db, member))].sort()
}

/** Virtual devices that are offline keep what they knew when they lost the network, and what they have yet to report. */
async function findAway(db: Database, { organization_id, member_id }: MemberKey): Promise<string[]> {
  const rows = await db.query<{ device_id: string }>(
    `SELECT device_id FROM virtual_devices WHERE organization_id = $1 AND slice IS NOT NULL
       AND (position($2 IN slice::text) > 0 OR position($2 IN journal::text) > 0)`,
    [organization_id, member_id],
  )
  return rows.map(({ device_id }) => device_id)
}

/** Returns those of the devices that have confirmed a policy without the member, if it is deleted. */
async function findForgotten(
  db: Database,
  { organization_id, member_id }: MemberKey,
  devices: readonly string[],
): Promise<ReadonlySet<string>> {
  const [member] = await db.query<{ is_deleted: boolean }>(
    'SELECT is_deleted FROM members WHERE organization_id = $1 AND id = $2',
    [organization_id, member_id],
  )
  if (!member?.is_deleted) return new Set()
  const key = `member ${member_id}`
  const change = (await findLastChanges(db, organization_id, member_id)).get(key)
  if (!change) return new Set(devices)
  return (await findArrivals(db, organization_id, [change], devices)).get(key) ?? new Set()
}

/** Returns those of the devices that still hold an erased member. A device that was deleted has no say any more. */
export async function findPending(
  db: Database,
  member: MemberKey,
  devices: readonly string[],
): Promise<string[]> {
  if (devices.length === 0) return []
  const living = await db.query<{ id: string; is_virtual: boolean }>(
    `SELECT id, hardware_id IS NULL AS is_virtual FROM devices WHERE organization_id = $1 AND id = ANY($2::text[]) AND NOT is_deleted ORDER BY id`,
    [member.organization_id, devices],
  )
  const away = new Set(await findAway(db, member))
  const gone = await findForgotten(db, member, devices)
  return living
    .filter(({ id, is_virtual }) => (is_virtual ? away.has(id) : !gone.has(id)))
    .map(({ id }) => id)
}

/** Returns what there is to say about devices that still hold a member: which doors, and since when they are offline. */
export function describeDevices(
  db: Database,
  organizationId: string,
  devices: readonly string[],
): Promise<WaitingDevice[]> {
  return db.query<WaitingDevice & object>(
    `SELECT d.id AS device_id, d.name AS device_name, coalesce((d.status->>'online')::boolean, false) AS online,
       (SELECT max(c.changed_at) FROM (SELECT e.created_at AS changed_at FROM events e WHERE e.organization_id = $1 AND e.object->>'device_id' = d.id
          AND e.object->>'type' = 'device' AND e.object->>'reason' = 'offline' ORDER BY e.created_at DESC LIMIT 1) c
        WHERE NOT coalesce((d.status->>'online')::boolean, false)) AS offline_since,
       g.gadget_ids, g.gadget_names
     FROM devices d CROSS JOIN LATERAL (
       SELECT coalesce(array_agg(id), '{}') AS gadget_ids, coalesce(array_agg(name), '{}') AS gadget_names
       FROM (SELECT id, name FROM gadgets WHERE organization_id = $1 AND device_id = d.id AND NOT is_deleted ORDER BY id LIMIT 100) own) g
     WHERE d.organization_id = $1 AND d.id = ANY($2::text[]) ORDER BY d.id LIMIT 100`,
    [organizationId, devices],
  )
}
