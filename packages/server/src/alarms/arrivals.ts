import { addSeconds } from '@gatehouse-access/core'
import type { Database } from '../database/db.ts'
import { countDoors, findEmergencyDoors } from '../doors/door-states.ts'
import { type Author, conditionKey } from './condition.ts'
import { endAlarm } from './end-alarms.ts'
import { openAlarm } from './open-alarms.ts'
import { setTimers } from './timers.ts'

/** Seconds that doors have to confirm. One that is offline, or fails, counts at once. */
const patience = 10
/** Seconds until it is looked at again: while something is missing, and afterwards. */
const soon = 10
const later = 60

interface Emergency {
  readonly id: string
  readonly started_at: string
  readonly created_at: string
  readonly ended_at: string | null
  readonly is_drill: boolean
}

/** Looks whether emergencies have arrived at all of their doors, for as long as they last. */
export async function checkArrivals(db: Database, author: Author, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const { organization_id } = author.caller
  const emergencies = await db.query<Emergency>(
    'SELECT id, started_at, created_at, ended_at, is_drill FROM emergencies WHERE organization_id = $1 AND id = ANY($2::text[])',
    [organization_id, ids],
  )
  for (const emergency of emergencies) await checkArrival(db, author, emergency)
}

async function checkArrival(db: Database, author: Author, emergency: Emergency): Promise<void> {
  const { id, started_at, is_drill } = emergency
  const { caller, now } = author
  const condition_key = conditionKey('emergency_not_arrived', id)
  if (emergency.ended_at !== null) return endAlarm(db, author, condition_key, emergency.ended_at)
  const isMissing = await lacksDoors(db, author, emergency)
  if (isMissing)
    await openAlarm(db, author, {
      type: 'emergency_not_arrived',
      condition_key,
      emergency_id: id,
      started_at: now,
      is_drill,
    })
  else await endAlarm(db, author, condition_key, now)
  const isYoung = now < addSeconds(started_at, patience)
  const due_at = addSeconds(now, isMissing || isYoung ? soon : later)
  await setTimers(db, caller.organization_id, [{ kind: 'arrive', key: id, due_at, about: {} }])
}

async function lacksDoors(db: Database, { caller, now }: Author, emergency: Emergency): Promise<boolean> {
  const { organization_id } = caller
  const { id, created_at } = emergency
  if (now >= addSeconds(created_at, patience)) {
    const [counted] = await countDoors(db, organization_id, [emergency], now)
    return counted !== undefined && counted.confirmed_gadget_count < counted.gadget_count
  }
  for (const state of ['offline', 'failed'] as const) {
    const asked = { organization_id, emergency_id: id, now, after: '', state, limit: 1 }
    if ((await findEmergencyDoors(db, asked)).length > 0) return true
  }
  return false
}
