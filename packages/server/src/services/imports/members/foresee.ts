import { refuseTaken } from '../../members/members.ts'
import type { Work } from '../../objects/context.ts'
import type { Foreseen } from '../rows/foreseen.ts'
import { named } from './foreseen-names.ts'
import type { Held } from './held-members.ts'
import { amountsOf, type MemberPlan } from './plan.ts'

interface Noted {
  readonly key: string
  readonly is_dry_run: boolean
  /** Whether another row of the file can be about the same member. */
  readonly can_repeat: boolean
}

/** Notes whom a row is about, and of a dry run what it would have changed for later rows. */
export function noteMember(
  foreseen: Foreseen,
  plan: MemberPlan,
  { key, is_dry_run, can_repeat }: Noted,
): void {
  if (plan.outcome === 'failed') return
  if (plan.held && can_repeat) foreseen.note(plan.held.member.id, plan.row.line)
  if (!is_dry_run || plan.outcome === 'unchanged') return
  if (plan.held) noteHeld(foreseen, plan, plan.held, key)
  noteCreated(foreseen, plan)
  for (const [kind, amount] of amountsOf(plan)) foreseen.add(kind, amount)
}

function noteHeld(foreseen: Foreseen, { changes, deletes }: MemberPlan, held: Held, key: string): void {
  const { id } = held.member
  const { is_deleted } = changes
  const move = (name: string, isTakenAway: boolean) => {
    if (isTakenAway) foreseen.free(name)
    else if (is_deleted === false) foreseen.take(name)
  }
  for (const card of held.member_card)
    move(named.card(card.card_id), is_deleted === true || deletes.member_card.includes(card.id))
  for (const pin of held.member_pin) {
    const isTakenAway = is_deleted === true || deletes.member_pin.includes(pin.id)
    move(named.pin(pin.pin_hash), isTakenAway)
    foreseen.add(named.pins(pin.length), Number(is_deleted === false) - Number(isTakenAway))
  }
  for (const email of deletes.member_email) foreseen.free(named.email(email))
  if (is_deleted === true) foreseen.free(named.member(id))
  if (is_deleted === false) foreseen.take(named.member(id))
  const isMoved = key === 'external_id' ? 'external_id' in changes : 'metadata' in changes
  if (isMoved && isOtherKey(held, changes, key)) foreseen.free(named.key(id))
}

function isOtherKey({ member }: Held, changes: MemberPlan['changes'], key: string): boolean {
  if (key === 'external_id') return member.external_id !== null
  const name = key.slice('metadata.'.length)
  return (
    key.startsWith('metadata.') &&
    member.metadata[name] !== (changes.metadata as typeof member.metadata)[name]
  )
}

function noteCreated(foreseen: Foreseen, { creates, new_cards, made }: MemberPlan): void {
  const known = creates.member_card.filter(({ card_id }) => !new_cards.some(({ id }) => id === card_id))
  for (const { card_id } of known) foreseen.take(named.card(String(card_id)))
  for (const { pin_hash, length } of creates.member_pin) {
    if (pin_hash && made.pin === undefined) foreseen.take(named.pin(pin_hash))
    foreseen.add(named.pins(Number(length)), 1)
  }
}

/** Frees what earlier rows have taken from others, which is taken back with all that a dry run or check does; and refuses what they have given them. */
export async function foreseeRestore(
  { db, caller }: Work,
  foreseen: Foreseen,
  { member_card, member_pin }: Held,
): Promise<void> {
  refuseTaken('PIN', member_pin.find(({ pin_hash }) => foreseen.isTaken(named.pin(pin_hash)))?.id)
  refuseTaken('card', member_card.find(({ card_id }) => foreseen.isTaken(named.card(card_id)))?.id)
  const { organization_id } = caller
  const cards = member_card.map(({ card_id }) => card_id).filter(id => foreseen.isFree(named.card(id)))
  if (cards.length > 0)
    await db.query(
      'UPDATE member_cards SET is_claimed = false WHERE organization_id = $1 AND card_id = ANY($2::text[]) AND is_claimed',
      [organization_id, cards],
    )
  const pins = member_pin
    .map(({ pin_hash }) => Buffer.from(pin_hash).toString('hex'))
    .filter(hash => foreseen.isFree(named.pin(hash)))
  if (pins.length > 0)
    await db.query(
      `UPDATE member_pins SET is_claimed = false WHERE organization_id = $1 AND is_claimed
       AND pin_hash IN (SELECT decode(hash, 'hex') FROM unnest($2::text[]) AS hash)`,
      [organization_id, pins],
    )
}
