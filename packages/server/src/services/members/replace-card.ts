import { invalid, type Resources, resources, type StoredOf } from '@gatehouse-access/api'
import { present } from '../../flow/present.ts'
import { findObject } from '../../store/find.ts'
import type { InputOf } from '../objects/action.ts'
import { applyEdit, createFrom, getObject } from '../objects/objects.ts'

/** `POST /members/{member_id}/cards/{id}/replace`: the old card is lost and the new one given, or nothing happens. */
export function replaceCard({
  work,
  target,
  id,
  readBody,
}: InputOf<'member_card', 'replace'>): Promise<StoredOf<Resources['member_card']>> {
  return work.db.transaction(async db => {
    const inner = { ...work, db }
    // The card first, as whoever reports it lost does: two of them cannot wait for each other.
    const { card_id, member_id } = await getObject(inner, target, id)
    const { organization_id } = work.caller
    const old = await findObject(db, resources.card, { organization_id }, card_id, { lock: true })
    const held = await getObject(inner, target, id, true)
    const { lost_reason, ...wanted } = readBody()
    if (held.is_deleted)
      throw invalid('id', 'the member does not have this card any more; give another one with POST …/cards')
    await applyEdit(inner, resources.card, present(old, 'the card of a member'), {
      is_lost: true,
      ...(lost_reason !== undefined && { lost_reason }),
    })
    return createFrom(inner, resources.member_card, { ...wanted, member_id })
  })
}
