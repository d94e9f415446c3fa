import type { Client } from '@gatehouse-access/sdk'
import { useQuery } from '@tanstack/react-query'
import { keyOf } from '../data/collections.ts'
import type { Door } from '../overview/door.ts'
import { useApi } from '../session/use-api.ts'
import type { Plan } from './emergency.ts'
import { byProblem, outcomeOf, type PlannedDoor } from './plan-outcome.ts'

/** Above this, single doors are looked for among all doors: one request for each would take longer. */
const mostSingle = 20

/** Loads every door that a plan concerns now, with what would happen to it. */
export function usePlanDoors(plan: Plan) {
  const { client, organization } = useApi()
  return useQuery({
    queryKey: keyOf(organization.id, 'gadgets', 'plan', plan.targets, plan.type, plan.unlocked_gadget_ids),
    queryFn: async () => (await findPlanDoors(client, plan)).toSorted(byProblem),
  })
}

/** Asks the service for every door that a plan concerns now. */
export async function findPlanDoors(client: Client, plan: Plan): Promise<readonly PlannedDoor[]> {
  const doors = await loadDoors(client, plan.targets)
  return doors.map(door => outcomeOf(plan, door))
}

async function loadDoors(client: Client, targets: Plan['targets']): Promise<readonly Door[]> {
  const { site_ids = [], tag_ids = [], gadget_ids = [], excluded_gadget_ids = [] } = targets
  const found = new Map<string, Door>()
  const take = async (query: object) => {
    for await (const door of client.gadgets.all({ ...query, expand: ['site', 'device'] }))
      found.set(door.id, door as Door)
  }
  for (const site_id of site_ids ?? []) await take({ site_id })
  for (const tag_id of tag_ids ?? []) await take({ tag_ids: [tag_id] })
  const single = (gadget_ids ?? []).filter(id => !found.has(id))
  if (single.length > mostSingle) {
    const others = new Set(single)
    for await (const door of client.gadgets.all({ expand: ['site', 'device'] }))
      if (others.has(door.id)) found.set(door.id, door as Door)
  } else
    for (const id of single)
      found.set(id, (await client.gadgets.get(id, { expand: ['site', 'device'] })) as Door)
  for (const id of excluded_gadget_ids ?? []) found.delete(id)
  return [...found.values()].filter(({ is_deleted }) => !is_deleted)
}
