import { invalid, type Resources, resources, type StoredOf } from '@gatehouse-access/api'
import { present } from '../../flow/present.ts'
import { findObject } from '../../store/find.ts'
import type { InputOf } from '../objects/action.ts'
import type { Work } from '../objects/context.ts'
import { applyEdit, getObject } from '../objects/objects.ts'

type MemberCard = StoredOf<Resources['member_card']>

/** `POST /members/{member_id}/cards/{id}/lost`: for whoever may change this member, but not all cards. */
export function reportLost({
  work,
  target,
  id,
  readBody,
}: InputOf<'member_card', 'lost'>): Promise<MemberCard> {
  return work.db.transaction(async db => {
    const inner = { ...work, db }
    // The card first, as in a replacement: two of them cannot wait for each other.
    const { card_id } = await getObject(inner, target, id)
    const { organization_id } = work.caller
    const found = await findObject(db, resources.card, { organization_id }, card_id, { lock: true })
    const card = present(found, 'the card of a member')
    const held = await getObject(inner, target, id, true)
    const { is_lost, lost_reason } = readBody()
    await requireLastHolder(inner, held)
    if (is_lost && !card.is_lost && held.is_deleted)
      throw invalid('id', 'the member does not have this card any more')
    await applyEdit(inner, resources.card, card, {
      is_lost,
      ...(lost_reason !== undefined && { lost_reason }),
    })
    return getObject(inner, target, id)
  })
}

/** Whoever had a card before does not decide about it for those who got it later. */
async function requireLastHolder(
  { db, caller }: Pick<Work, 'db' | 'caller'>,
  { id, card_id, created_at }: MemberCard,
): Promise<void> {
  const others = await db.query(
    `SELECT 1 FROM member_cards WHERE organization_id = $1 AND is_deleted = false AND card_id = $2 AND id <> $3
     UNION ALL SELECT 1 FROM member_cards WHERE organization_id = $1 AND is_deleted = true AND card_id = $2 AND id <> $3 AND created_at > $4
     LIMIT 1`,
    [caller.organization_id, card_id, id, created_at],
  )
  if (others.length > 0) throw invalid('id', 'somebody else has been given this card since')
}
