import type { Client } from '@gatehouse-access/sdk'
import { t } from '../language/t.ts'
import { byName, someNames } from '../parts/some-names.ts'
import { nameOf } from '../triggers/trigger.ts'
import type { Plan } from './emergency.ts'
import { findPlanDoors } from './use-plan-doors.ts'

/** Says for which doors a plan can no longer be started, and from where. Without doors, it could not be before. */
export async function planLossesOf(client: Client, plan: Plan): Promise<readonly string[]> {
  const planned = await findPlanDoors(client, plan)
  const doors = planned
    .flatMap(({ door, outcome }) => (outcome === 'cannot' ? [] : [door.name]))
    .toSorted(byName)
  if (doors.length === 0) return []
  return [
    t(`It can no longer be started for ${someNames(doors)}.`),
    ...(await buttonLossesOf(client, plan)),
    ...(await controlLossesOf(client, plan)),
  ]
}

async function buttonLossesOf(client: Client, { trigger }: Plan): Promise<readonly string[]> {
  if (!trigger) return []
  const { name, signals, is_deleted } = await client.gadgets.get(trigger.gadget_id)
  return is_deleted ? [] : [t(`${nameOf(signals, trigger.signal_id)} of ${name} will no longer start it.`)]
}

async function controlLossesOf(client: Client, { control_gadget_id }: Plan): Promise<readonly string[]> {
  if (!control_gadget_id) return []
  const { name, is_deleted } = await client.gadgets.get(control_gadget_id)
  return is_deleted ? [] : [t(`It can no longer be started and ended at ${name}.`)]
}
