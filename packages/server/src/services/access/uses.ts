import { mostUsing, type Resource, readsKind } from '@gatehouse-access/api'
import { toMicroseconds, type UsedKind, usesSteps } from '@gatehouse-access/core'
import type { ActionInput } from '../objects/action.ts'
import { getObject } from '../objects/objects.ts'

type UsesInput<R extends Resource> = Pick<ActionInput<R>, 'work' | 'target' | 'id'>

/**
 * `GET /schedules/{id}/uses` and the like: who would lose what without the object. Installers are told how many,
 * of the sites that they see, but not which groups; whose role is limited to some sites, only those seen there.
 */
export async function showUses<R extends Resource>({ work, target, id }: UsesInput<R>): Promise<object> {
  await getObject(work, target, id)
  const query = { kind: target.resource.kind as UsedKind, id, at: toMicroseconds(work.now) }
  const { member_group_ids, ...counts } = await work.context.policies.ask(
    work.caller.organization_id,
    policy => usesSteps(policy, query),
  )
  const { bounds, scopes } = work.caller
  const seen = bounds ? member_group_ids.filter(id => bounds.member_group_ids.includes(id)) : member_group_ids
  return {
    member_group_ids: readsKind(scopes, 'member_group') ? seen.slice(0, mostUsing) : [],
    member_group_count: member_group_ids.length,
    ...counts,
  }
}
