import { invalid, type Resources, type StoredOf } from '@gatehouse-access/api'
import { checkTargets, type Planned } from '../../doors/start-emergency.ts'
import { behaviour } from '../objects/behaviour.ts'
import type { Work } from '../objects/context.ts'
import { checkActions } from '../places/actions-in-use.ts'
import { checkHeldDoors, checkSignal } from './check-doors.ts'

type Plan = StoredOf<Resources['emergency_plan']>

export const emergencyPlanBehaviour = behaviour('emergency_plan', {
  async beforeCreate(work, values) {
    await checkPlan(work, values)
    return {}
  },
  async beforeEdit(work, before, changes) {
    const isLabel = Object.keys(changes).every(name => ['name', 'metadata'].includes(name))
    if (!isLabel && changes.is_deleted !== true) await checkPlan(work, { ...before, ...changes })
    return {}
  },
})

type Checked = Pick<
  Plan,
  | 'id'
  | 'type'
  | 'targets'
  | 'exempt_member_group_ids'
  | 'unlocked_gadget_ids'
  | 'control_gadget_id'
  | 'trigger'
>

async function checkPlan(work: Work, plan: Checked): Promise<void> {
  await checkPlanned(work, plan)
  await checkTargets(work, plan.targets)
  if (plan.control_gadget_id !== null) await checkControl(work, plan.id, plan.control_gadget_id)
  if (plan.trigger) await checkSignal(work, 'trigger', plan.trigger)
}

/** Throws if something is said that only counts in a lockdown, or if a door cannot be held open. */
export async function checkPlanned(
  work: Work,
  planned: Pick<Planned, 'type' | 'exempt_member_group_ids' | 'unlocked_gadget_ids'>,
): Promise<void> {
  for (const name of ['exempt_member_group_ids', 'unlocked_gadget_ids'] as const)
    if (planned.type === 'evacuation' && planned[name].length > 0)
      throw invalid(name, `${name} must be empty: in an evacuation, every door is held open for everybody`)
  await checkHeldDoors(work, 'unlocked_gadget_ids', planned.unlocked_gadget_ids)
}

/** Who uses the gadget means one plan, so no two plans share it. */
async function checkControl(work: Work, planId: string, gadgetId: string): Promise<void> {
  const field = 'control_gadget_id'
  await checkActions(
    work,
    ['start', 'end'].map(action_id => ({ field, gadget_id: gadgetId, action_id })),
  )
  const [other] = await work.db.query<{ id: string; name: string }>(
    'SELECT id, name FROM emergency_plans WHERE organization_id = $1 AND control_gadget_id = $2 AND id <> $3 AND NOT is_deleted LIMIT 1',
    [work.caller.organization_id, gadgetId, planId],
  )
  if (other)
    throw invalid(field, `${field}: gadget ${gadgetId} already controls the plan ${other.id} (${other.name})`)
}
