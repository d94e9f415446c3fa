import type { ImportSettings } from '@gatehouse-access/api'
import type { QuotaName } from '../../../config/quotas.ts'
import { exceeded } from '../../../store/counts/quotas.ts'
import { memberBehaviour } from '../../members/members.ts'
import type { Context, Work } from '../../objects/context.ts'
import type { Foreseen } from '../rows/foreseen.ts'
import { asProblem } from '../rows/row-result.ts'
import { foreseeRestore } from './foresee.ts'
import { amountsOf, type ChildKind, childKinds, heldMember, type MemberPlan } from './plan.ts'

interface Settings {
  readonly is_dry_run: boolean
  readonly foreseen: Foreseen
}

/** Quota for the rows of a batch. What a row leaves free is for those behind it. */
interface Rooms {
  take(kind: QuotaName, amount: number): Promise<void>
  leave(kind: QuotaName, amount: number): void
}

/** Takes quota for everything that rows create, and back what a deleted member had: its PINs and cards. */
export async function takeRooms(work: Work, plans: readonly MemberPlan[], settings: Settings): Promise<void> {
  const rooms = openRooms(work, settings)
  for (const plan of plans) if (plan.problems.length === 0) await takeRoomsOf(work, plan, settings, rooms)
}

/** The columns and defaults by which rows make more of a kind than the member. */
const madeBy = {
  card: ['card_uid'],
  member_group_association: ['groups', 'member_group_ids'],
  member_email: ['email'],
  member_magic_link: ['magic_link'],
  member_card: ['card_uid', 'card_printed_code'],
  member_pin: ['pin'],
} as const

interface Made {
  /** What its columns mean, if that is known. */
  readonly columns?: readonly string[]
  readonly import: Pick<ImportSettings, 'defaults'>
}

/** Returns the kinds that a file can make more of. */
export function kindsMade({ columns, import: { defaults = {} } }: Made): QuotaName[] {
  const kinds = (['card', ...childKinds] as const).filter(
    kind => columns === undefined || madeBy[kind].some(name => columns.includes(name) || name in defaults),
  )
  return ['member', ...kinds]
}

/** Call outside of transactions: with a million members, counting takes longer than a batch. */
export function renewRooms(
  { db, quotas }: Pick<Context, 'db' | 'quotas'>,
  organization_id: string,
  told: Made,
  has_made_room: boolean,
): Promise<void> {
  return quotas.renew(db, kindsMade(told), [organization_id], { has_made_room })
}

/** A dry run takes no quota from others. It asks for that of its earlier rows and of this one. */
function openRooms({ db, caller, context }: Work, { is_dry_run, foreseen }: Settings): Rooms {
  const { quotas } = context
  const holder = [caller.organization_id]
  const left = new Map<QuotaName, number>()
  const taken = new Map<QuotaName, number>()
  const ask = (kind: QuotaName, amount: number, pending: number) =>
    is_dry_run
      ? quotas.check(db, kind, holder, foreseen.count(kind) + pending + amount)
      : quotas.take(db, kind, holder, amount, { pending })
  return {
    async take(kind, amount) {
      const own = Math.min(left.get(kind) ?? 0, amount)
      const pending = taken.get(kind) ?? 0
      if (own < amount) await ask(kind, amount - own, pending)
      taken.set(kind, pending + amount - own)
      left.set(kind, (left.get(kind) ?? 0) - own)
    },
    leave: (kind, amount) => left.set(kind, (left.get(kind) ?? 0) + amount),
  }
}

async function takeRoomsOf(
  work: Work,
  plan: MemberPlan,
  { is_dry_run, foreseen }: Settings,
  rooms: Rooms,
): Promise<void> {
  const taken: [QuotaName, number][] = []
  try {
    if (plan.changes.is_deleted === false) {
      const held = heldMember(plan)
      if (is_dry_run) await foreseeRestore(work, foreseen, held)
      await memberBehaviour.beforeRestore?.(work, held.member, {})
    }
    for (const kind of childKinds) checkMember(work, plan, kind)
    const amounts = amountsOf(plan)
    for (const [kind, amount] of amounts.filter(([, amount]) => amount > 0)) {
      await rooms.take(kind, amount)
      taken.push([kind, amount])
    }
    for (const [kind, amount] of amounts) if (amount < 0) rooms.leave(kind, -amount)
  } catch (error) {
    for (const [kind, amount] of taken) rooms.leave(kind, amount)
    plan.problems.push(asProblem(error))
  }
}

/** What a member has is known here, and need not be counted. */
function checkMember({ context }: Work, plan: MemberPlan, kind: ChildKind): void {
  const added = plan.creates[kind].length
  if (added === 0) return
  const most = context.quotas.most(`member.${kind}`)
  const held = (plan.held?.[kind].length ?? 0) - plan.deletes[kind].length
  if (held + added > most) throw exceeded(`member.${kind}`, most)
}
