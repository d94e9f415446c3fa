import type { QuotaName } from '../../../config/quotas.ts'
import { exceeded } from '../../../store/counts/quotas.ts'
import { memberBehaviour } from '../../members/members.ts'
import type { Work } from '../../objects/context.ts'
import type { Foreseen } from '../rows/foreseen.ts'
import { asProblem } from '../rows/row-result.ts'
import { foreseeRestore } from './foresee.ts'
import { type ChildKind, childKinds, heldMember, type MemberPlan } from './plan.ts'

interface Settings {
  readonly is_dry_run: boolean
  readonly foreseen: Foreseen
}

type Take = (kind: QuotaName, amount: number) => void | Promise<void>

/** Takes quota for everything that rows create, and back what a deleted member had: its PINs and cards. */
export async function takeRooms(work: Work, plans: readonly MemberPlan[], settings: Settings): Promise<void> {
  const take = taking(work, settings)
  for (const plan of plans) if (plan.problems.length === 0) await takeRoomsOf(work, plan, settings, take)
}

/** A dry run takes no quota from others. It asks for that of its earlier rows and of this one. */
function taking({ db, caller, context }: Work, { is_dry_run, foreseen }: Settings): Take {
  const { quotas } = context
  const holder = [caller.organization_id]
  if (!is_dry_run) return (kind, amount) => quotas.take(db, kind, holder, amount)
  const asked = new Map<QuotaName, number>()
  return async (kind, amount) => {
    const all = (asked.get(kind) ?? 0) + amount
    await quotas.check(db, kind, holder, foreseen.count(kind) + all)
    asked.set(kind, all)
  }
}

async function takeRoomsOf(work: Work, plan: MemberPlan, settings: Settings, take: Take): Promise<void> {
  const { created, changes, new_cards } = plan
  try {
    if (changes.is_deleted === false) {
      const held = heldMember(plan)
      if (settings.is_dry_run) await foreseeRestore(work, settings.foreseen, held)
      await memberBehaviour.beforeRestore?.(work, held.member, {})
    }
    if (created || changes.is_deleted === false) await take('member', 1)
    if (new_cards.length > 0) await take('card', new_cards.length)
    for (const kind of childKinds) await takeChildRoom(work, plan, kind, take)
  } catch (error) {
    plan.problems.push(asProblem(error))
  }
}

/** What a member has is known here, and need not be counted. */
async function takeChildRoom(work: Work, plan: MemberPlan, kind: ChildKind, take: Take): Promise<void> {
  const added = plan.creates[kind].length
  if (added === 0) return
  const most = work.context.quotas.most(`member.${kind}`)
  const held = (plan.held?.[kind].length ?? 0) - plan.deletes[kind].length
  if (held + added > most) throw exceeded(`member.${kind}`, most)
  await take(kind, added)
}
