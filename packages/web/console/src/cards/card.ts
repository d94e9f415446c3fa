import type { ItemOf } from '../data/collections.ts'
import { t } from '../language/t.ts'
import type { Suspension } from '../suspensions/suspension.ts'

export interface MemberCard extends Suspension {
  readonly id: string
  readonly member_id: string
  readonly is_deleted: boolean
  readonly member?: { readonly name: string | null }
}

export type Card = ItemOf<'cards'> & {
  readonly member_cards?: readonly MemberCard[]
  /** Who has it, else who had it last. Missing if nobody had it, or the role does not see them. */
  readonly last_member_card?: MemberCard
}

/** A card belongs to at most one member at a time. */
export function holderOf({ member_cards }: Card): MemberCard | undefined {
  return member_cards?.find(({ is_deleted }) => !is_deleted)
}

/** Returns the label shown for a card: its name, else its printed code, else its UID. */
export function titleOf({ name, printed_code, uid }: Card): string {
  return name || printed_code || uid || t('Card')
}
