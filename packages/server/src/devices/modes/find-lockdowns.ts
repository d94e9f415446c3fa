import { type DoorPlace, type Emergency, toMicroseconds } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import { reached } from './doors-of.ts'
import type { ModeSources } from './mode-sources.ts'
import { readEmergencies } from './read-emergencies.ts'

/** Returns the lockdowns that are committed and keep a door locked now, by id. */
export async function findLockdowns(
  db: Database,
  organizationId: string,
  door: DoorPlace,
  now: string,
): Promise<string[]> {
  const emergencies: ModeSources['emergencies'] = new Map()
  await readEmergencies(db, organizationId, { emergencies })
  return [...emergencies.values()]
    .filter(({ reach }) => isLocking(reach, door) && !isOver(reach, now))
    .map(({ reach }) => reach.row.id)
}

export function isLocking(reach: Emergency, door: DoorPlace): boolean {
  const isLockdown = reach.row.type === 'lockdown' && !reach.unlocked.has(door.gadget_id)
  return isLockdown && reached(reach, [door]).length > 0
}

function isOver({ row: { ends_at } }: Emergency, now: string): boolean {
  return typeof ends_at === 'string' && toMicroseconds(ends_at) <= toMicroseconds(now)
}
