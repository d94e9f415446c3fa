import type { ColumnsOf, NewOf, Resource, Resources } from '@gatehouse-access/api'
import { resources } from '@gatehouse-access/api'
import { type EventDraft, logEvents } from '../../../store/event-log.ts'
import { deleteObjects } from '../../../store/write.ts'
import { insertUnlogged, updateObjects } from '../../../store/write-many.ts'
import { releaseCredentials } from '../../members/members.ts'
import type { Work } from '../../objects/context.ts'
import type { Member } from './held-members.ts'
import { type ChildKind, childKinds, heldMember, type MemberPlan } from './plan.ts'

/**
 * Writes what was planned, with the same events as single requests, in a few statements for all rows. What is new is told last, in one
 * statement.
 */
export async function applyMembers(work: Work, plans: readonly MemberPlan[]): Promise<void> {
  const good = plans.filter(plan => plan.outcome !== 'failed' && plan.outcome !== 'unchanged')
  const told: EventDraft[] = []
  const insert = async <R extends Resource>(resource: R, rows: readonly NewOf<R>[]) => {
    told.push(...(await insertUnlogged(work, resource, rows)))
  }
  await insert(
    resources.member,
    good.flatMap(plan => plan.created ?? []),
  )
  await deleteMembers(
    work,
    good.filter(plan => plan.outcome === 'deleted').map(plan => heldMember(plan).member.id),
  )
  await updateMembers(
    work,
    good.filter(plan => !plan.created && plan.outcome !== 'deleted'),
  )
  await insert(
    resources.card,
    good.flatMap(plan => plan.new_cards),
  )
  for (const kind of childKinds)
    await deleteChildren(
      work,
      kind,
      good.flatMap(plan => plan.deletes[kind]),
    )
  for (const kind of childKinds)
    await insert<Resource>(
      resources[kind],
      good.flatMap((plan): NewOf<Resource>[] => plan.creates[kind]),
    )
  await logEvents(work.db, told)
}

export async function deleteMembers(work: Work, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await releaseCredentials(work, ids)
  await deleteObjects(work, resources.member, 'id', ids)
}

/** Rows that change the same columns are written together. */
async function updateMembers(work: Work, plans: readonly MemberPlan[]): Promise<void> {
  const changing = plans.filter(plan => Object.keys(plan.changes).length > 0)
  for (const [, alike] of Map.groupBy(changing, plan => Object.keys(plan.changes).sort().join())) {
    const columns = Object.keys(alike[0]?.changes ?? {}) as (keyof ColumnsOf<Resources['member']> & string)[]
    const rows = alike.map(plan => ({ ...heldMember(plan).member, ...plan.changes }) as Member)
    await updateObjects(work, resources.member, columns, rows)
  }
}

/** A deleted PIN or card is free for others. */
export async function deleteChildren(work: Work, kind: ChildKind, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const resource = resources[kind]
  if (kind === 'member_pin' || kind === 'member_card')
    await work.db.query(
      `UPDATE ${resource.table} SET is_claimed = false WHERE organization_id = $1 AND id = ANY($2::text[]) AND is_claimed`,
      [work.caller.organization_id, ids],
    )
  await deleteObjects(work, resource, 'id', ids)
}
