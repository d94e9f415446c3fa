import type { Database } from '../database/db.ts'
import { isRecord } from '../flow/record.ts'

interface VirtualDevice {
  readonly organization_id: string
  readonly device_id: string
}

/**
 * An offline virtual device keeps its policy in the database, so it was set back as well: a real one has its
 * newer policy still. Takes from it what is suspended.
 */
export async function pruneOfflineSlices(db: Database): Promise<void> {
  const devices = await db.query<VirtualDevice>(
    'SELECT organization_id, device_id FROM virtual_devices WHERE slice IS NOT NULL',
  )
  for (const device of devices) await pruneSlice(db, device)
}

async function pruneSlice(db: Database, { organization_id, device_id }: VirtualDevice): Promise<void> {
  const suspended = await findSuspended(db, organization_id)
  const overridden = await findOverridden(db, organization_id)
  if (suspended.size + overridden.size === 0) return
  const key = [organization_id, device_id]
  const [row] = await db.query<{ slice: string }>(
    'SELECT slice::text AS slice FROM virtual_devices WHERE organization_id = $1 AND device_id = $2',
    key,
  )
  if (!row) return
  const held = JSON.parse(row.slice)
  const slice = JSON.stringify(
    without(
      { ...held, ...(held.overrides && { overrides: without(held.overrides, overridden) }) },
      suspended,
    ),
  )
  await db.query(
    'UPDATE virtual_devices SET slice = $3::text::jsonb WHERE organization_id = $1 AND device_id = $2',
    [...key, slice],
  )
}

/** An override has the id of its door. */
async function findOverridden(db: Database, organizationId: string): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(
    `SELECT id FROM restore_suspensions WHERE organization_id = $1 AND is_suspended AND kind = 'override'`,
    [organizationId],
  )
  return new Set(rows.map(({ id }) => id))
}

/** Includes the assignments of suspended cards, since slices do not name the cards. */
async function findSuspended(db: Database, organizationId: string): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(
    `SELECT id FROM restore_suspensions WHERE organization_id = $1 AND is_suspended AND kind <> 'override'
     UNION SELECT m.id FROM member_cards m JOIN restore_suspensions s ON s.organization_id = m.organization_id AND s.kind = 'card' AND s.id = m.card_id
     WHERE m.organization_id = $1 AND s.is_suspended`,
    [organizationId],
  )
  return new Set(rows.map(({ id }) => id))
}

/** Returns a copy without the rows, at any depth, that have one of the ids. */
function without(value: unknown, ids: ReadonlySet<string>): unknown {
  if (Array.isArray(value))
    return value
      .filter(item => !(isRecord(item) && typeof item.id === 'string' && ids.has(item.id)))
      .map(item => without(item, ids))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, without(held, ids)]))
}
