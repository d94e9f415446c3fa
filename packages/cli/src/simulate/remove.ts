import type { Client } from '@gatehouse-access/sdk'
import { mark } from './building.ts'

/** Removes what earlier simulations have left, and ends their emergencies. Returns how much there was. */
export async function removeBuildings(client: Client): Promise<number> {
  let count = 0
  for await (const { id, name } of client.emergencies.all({ q: mark, is_active: true, limit: 100 }))
    if (name.startsWith(`${mark} `)) await client.emergencies.end(id, { reason: 'The simulation is removed' })
  const kinds = [
    client.emergency_plans,
    client.unlock_rules,
    client.sites,
    client.member_groups,
    client.schedules,
    client.members,
  ]
  for (const kind of kinds) {
    const ids: string[] = []
    for await (const { id, name } of kind.all({ q: mark, limit: 100 }))
      if (name?.startsWith(`${mark} `)) ids.push(id)
    for (const id of ids) await kind.delete(id, kind === client.sites ? { cascade: true } : {})
    count += ids.length
  }
  return count
}
