import { mostUsing, type Resource, readsKind } from '@gatehouse-access/api'
import { toMicroseconds, type UsedKind, usesSteps } from '@gatehouse-access/core'
import type { ActionInput } from '../objects/action.ts'
import { getObject } from '../objects/objects.ts'

type UsesInput<R extends Resource> = Pick<ActionInput<R>, 'work' | 'target' | 'id'>

/**
 * `GET /schedules/{id}/uses` and the like: who would lose what without the object. Installers are told how many,
 * of the sites that they see, but not which groups.
 */
export async function showUses<R extends Resource>({ work, target, id }: UsesInput<R>): Promise<object> {
  await getObject(work, target, id)
  const query = { kind: target.resource.kind as UsedKind, id, at: toMicroseconds(work.now) }
  const { member_group_ids, ...counts } = await work.context.policies.ask(
    work.caller.organization_id,
    policy => usesSteps(policy, query),
  )
  return {
    member_group_ids: readsKind(work.caller.scopes, 'member_group')
      ? member_group_ids.slice(0, mostUsing)
      : [],
    member_group_count: member_group_ids.length,
    ...counts,
  }
}
