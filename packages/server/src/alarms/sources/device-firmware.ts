import type { Database } from '../../database/db.ts'
import { serviceCaller } from '../../store/caller.ts'
import { followTurns, type Turn } from '../begin-conditions.ts'
import { conditionKey } from '../condition.ts'

/** A device, and what its firmware does not understand of its rules. */
export interface Lacking {
  readonly organization_id: string
  readonly device_id: string
  readonly missing: readonly string[]
}

/** Finds devices that are too old for what their doors need. Needs a transaction. */
export async function followFirmware(db: Database, devices: readonly Lacking[], now: string): Promise<void> {
  for (const [id, own] of Map.groupBy(devices, device => device.organization_id))
    await followTurns(
      db,
      { caller: serviceCaller(id), now },
      own.map(device => turnOf(device, now)),
    )
}

function turnOf({ device_id, missing }: Lacking, now: string): Turn {
  const type = 'device_outdated'
  const condition_key = conditionKey(type, device_id)
  return missing.length > 0
    ? { turn: 'begin', type, condition_key, device_id, started_at: now }
    : { turn: 'end', condition_key, ended_at: now }
}
