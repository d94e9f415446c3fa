import type { ItemOf } from '../data/collections.ts'
import { t } from '../language/t.ts'
import type { Suspension } from '../suspensions/suspension.ts'

export interface MemberCard extends Suspension {
  readonly id: string
  readonly member_id: string
  readonly is_deleted: boolean
  readonly member?: { readonly name: string | null }
}

export type Card = ItemOf<'cards'> & { readonly member_cards?: readonly MemberCard[] }

/** A card belongs to at most one member at a time. */
export function holderOf({ member_cards }: Card): MemberCard | undefined {
  return member_cards?.find(({ is_deleted }) => !is_deleted)
}

/** Who has the card, else who had it last. */
export function lastHolderOf(card: Card): MemberCard | undefined {
  return holderOf(card) ?? card.member_cards?.toSorted((a, b) => (a.id < b.id ? 1 : -1))[0]
}

/** Returns the label shown for a card: its name, else its printed code, else its UID. */
export function titleOf({ name, printed_code, uid }: Card): string {
  return name || printed_code || uid || t('Card')
}
