import { modeOfDoorSteps, type Policy, type Steps, toMicroseconds } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import type { DoorModes } from '../../doors/door-modes.ts'
import { type DoorRow, findDoorRows, isConfirmed } from '../../doors/reported.ts'
import type { Clock } from '../../flow/clock.ts'

export interface SettledContext {
  readonly db: Database
  readonly clock: Clock
  readonly doors: Pick<DoorModes, 'ask'>
}

/** A door of a virtual device. */
interface VirtualDoor {
  readonly id: string
  readonly device_id: string
  readonly turns_at: string | null
  /** Whether the device has run before, is online and has no fault. */
  readonly is_usual: boolean
}

/**
 * Returns those of the virtual devices whose doors have to become something else, or will earlier than planned.
 * Most changes do nothing to the modes of doors, and starting a device reads all that its organization has.
 */
export async function findUnsettled(
  { db, clock, doors }: SettledContext,
  organizationId: string,
  deviceIds: readonly string[],
): Promise<string[]> {
  if (deviceIds.length === 0) return []
  const own = await findDoors(db, organizationId, deviceIds)
  if (own.length === 0) return []
  const known = await findDoorRows(
    db,
    organizationId,
    own.map(({ id }) => id),
  )
  const at = toMicroseconds(clock.now())
  const unsettled = await doors.ask(organizationId, policy => unsettledOf(policy, own, known, at))
  return [...unsettled]
}

function* unsettledOf(
  policy: Policy,
  doors: readonly VirtualDoor[],
  known: ReadonlyMap<string, DoorRow>,
  at: number,
): Steps<Set<string>> {
  const unsettled = new Set<string>()
  const turns = new Map<string, number>()
  for (const { id, device_id, is_usual } of doors) {
    yield
    const now = yield* modeOfDoorSteps(policy, id, at)
    const reported = known.get(id)?.reported
    if (!is_usual || !now || !reported || !isConfirmed(now.mode, reported)) unsettled.add(device_id)
    turns.set(device_id, Math.min(turns.get(device_id) ?? Infinity, now?.next_change ?? Infinity))
  }
  // A device that turns too early only looks once more: it may know of an end that the service does not, as of a lease.
  for (const { device_id, turns_at } of doors)
    if ((turns.get(device_id) ?? Infinity) < (turns_at === null ? Infinity : toMicroseconds(turns_at)))
      unsettled.add(device_id)
  return unsettled
}

function findDoors(
  db: Database,
  organizationId: string,
  deviceIds: readonly string[],
): Promise<VirtualDoor[]> {
  return db.query<VirtualDoor & object>(
    `SELECT g.id, g.device_id, v.turns_at, coalesce(v.is_online AND v.fault IS NULL, false) AS is_usual FROM gadgets g
     LEFT JOIN virtual_devices v ON v.organization_id = g.organization_id AND v.device_id = g.device_id
     WHERE g.organization_id = $1 AND g.device_id = ANY($2::text[]) AND NOT g.is_deleted AND g.door IS NOT NULL`,
    [organizationId, deviceIds],
  )
}
