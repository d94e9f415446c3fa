import { pinColumns } from '../../members/member-pins.ts'
import type { Work } from '../../objects/context.ts'
import type { PinRoom } from './pins.ts'
import { type MemberPlan, refuse } from './plan.ts'
import { add, tellKept } from './plan-children.ts'

/** A given PIN replaces what the member has. The wish for a new one is fulfilled by any. */
export async function planPin(plan: MemberPlan, pins: PinRoom): Promise<void> {
  const { row, held } = plan
  const { pin } = row
  if (pin === undefined) return
  const has = held?.member_pin ?? []
  const remove = () => {
    for (const one of has) pins.release(one)
    plan.deletes.member_pin.push(...has.map(one => one.id))
  }
  if (pin === null) remove()
  else if (pin.pin !== undefined) {
    const hashes = pins.hashesOf(pin.pin)
    const isHeld = has.some(one => hashes.includes(Buffer.from(one.pin_hash).toString('hex')))
    if (isHeld && has.length === 1) return
    const { problem, isLookedUp = false } = isHeld ? {} : await pins.takeGiven(pin.pin, row.line)
    // Otherwise the start of a dry run would tell of a PIN that was not looked up.
    if (isLookedUp) plan.touches.push(...hashes)
    if (problem) refuse(plan, 'pin', problem)
    else remove()
  }
}

/** PINs are made for all rows together: whether they are taken is one question. */
export async function makePins(work: Work, plans: readonly MemberPlan[], pins: PinRoom): Promise<void> {
  const wanting = plans.filter(plan => plan.problems.length === 0 && wantsPin(plan))
  const lengths = wanting.filter(isGenerated).map(({ row }) => row.pin?.length)
  const made = (await pins.make(lengths)).values()
  for (const plan of wanting) {
    const pin = isGenerated(plan) ? made.next().value : plan.row.pin?.pin
    if (pin === undefined) {
      refuse(
        plan,
        'pin',
        'Too many PINs of this length are in use for another one to be safe: use more digits',
      )
      continue
    }
    const added = add(work, plan, 'member_pin', {})
    Object.assign(added, pinColumns(work, added.id, pin))
    if (isGenerated(plan)) plan.made.pin = pin
    tellKept(plan, 'member_pin', 'pin_ids')
  }
  for (const plan of plans) if (plan.deletes.member_pin.length > 0) tellKept(plan, 'member_pin', 'pin_ids')
}

function isGenerated({ row }: MemberPlan): boolean {
  return row.pin?.pin === undefined
}

function wantsPin({ row, held, deletes }: MemberPlan): boolean {
  if (!row.pin || row.is_deleted === true) return false
  const kept = (held?.member_pin.length ?? 0) - deletes.member_pin.length
  return row.pin.pin === undefined ? kept === 0 : kept === 0 || deletes.member_pin.length > 0
}
