import { resources } from '@gatehouse-access/api'
import { exceeded } from '../../../store/quotas.ts'
import { memberBehaviour } from '../../members/members.ts'
import type { Work } from '../../objects/context.ts'
import { takeRoom } from '../../objects/room.ts'
import { asProblem } from '../rows/row-result.ts'
import { type ChildKind, childKinds, heldMember, type MemberPlan } from './plan.ts'

/** Takes quota for everything that the row creates, and back what a deleted member had: its PINs and cards. */
export async function takeRooms(work: Work, plan: MemberPlan, isDryRun: boolean): Promise<void> {
  if (plan.problems.length > 0) return
  try {
    if (plan.changes.is_deleted === false) {
      const { member } = heldMember(plan)
      await memberBehaviour.beforeRestore?.(work, member, {})
      if (!isDryRun) await takeRoom(work, resources.member, member)
    }
    if (isDryRun) return
    if (plan.created) await takeRoom(work, resources.member, plan.created)
    for (const card of plan.new_cards) await takeRoom(work, resources.card, card)
    for (const kind of childKinds) await takeChildRoom(work, plan, kind)
  } catch (error) {
    plan.problems.push(asProblem(error))
  }
}

/** What a member has is known here, and need not be counted. */
async function takeChildRoom(work: Work, plan: MemberPlan, kind: ChildKind): Promise<void> {
  const added = plan.creates[kind].length
  if (added === 0) return
  const { quotas } = work.context
  const most = quotas.most(`member.${kind}`)
  const held = (plan.held?.[kind].length ?? 0) - plan.deletes[kind].length
  if (held + added > most) throw exceeded(`member.${kind}`, most)
  await quotas.take(work.db, kind, [work.caller.organization_id], added)
}
