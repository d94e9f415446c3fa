import { type Resources, resources, type StoredOf } from '@gatehouse-access/api'
import { present } from '../flow/present.ts'
import { findObject } from '../store/find.ts'
import { updateObject, type Write } from '../store/write.ts'
import { countDoors } from './door-states.ts'

type Emergency = StoredOf<Resources['emergency']>

/** Ends an emergency that is locked, if it has not ended. Needs a transaction. */
export async function endEmergency(
  write: Write,
  emergency: Emergency,
  end_reason: string | null = null,
): Promise<Emergency> {
  if (emergency.ended_at !== null) return emergency
  const { organization_id } = emergency
  const [counted] = await countDoors(write.db, organization_id, [emergency], write.now)
  return updateObject(write, resources.emergency, emergency, {
    ended_at: write.now,
    is_active: false,
    end_reason,
    final_gadget_count: counted?.gadget_count ?? 0,
    final_cannot_count: counted?.cannot_gadget_count ?? 0,
  })
}

/** Ends what runs of a plan: somebody used the action `end` of its control gadget. Needs a transaction. */
export async function endEmergenciesOfPlan(write: Write, planId: string): Promise<Emergency[]> {
  const { organization_id } = write.caller
  const rows = await write.db.query<{ id: string }>(
    'SELECT id FROM emergencies WHERE organization_id = $1 AND emergency_plan_id = $2 AND ended_at IS NULL ORDER BY id',
    [organization_id, planId],
  )
  const ended: Emergency[] = []
  for (const { id } of rows) ended.push(await endEmergency(write, await holdEmergency(write, id)))
  return ended
}

export async function holdEmergency({ db, caller }: Write, id: string): Promise<Emergency> {
  const { organization_id } = caller
  const row = await findObject(db, resources.emergency, { organization_id }, id, { lock: true })
  return present(row, `emergency ${id}`)
}

interface Replaced {
  readonly id: string
  readonly gadget_ids: readonly string[]
  readonly other_count: number
}

/** Ends an emergency on some of its doors; altogether if it has no others. Needs a transaction. */
export async function endOnDoors(write: Write, { id, gadget_ids, other_count }: Replaced): Promise<void> {
  if (gadget_ids.length === 0) return
  const emergency = await holdEmergency(write, id)
  if (other_count === 0) {
    await endEmergency(write, emergency, 'replaced')
    return
  }
  const { targets } = emergency
  const excluded_gadget_ids = [...new Set([...(targets.excluded_gadget_ids ?? []), ...gadget_ids])]
  await updateObject(write, resources.emergency, emergency, { targets: { ...targets, excluded_gadget_ids } })
}
