import { rewriteEvents } from '../audit/amendments/amend.ts'
import type { Act } from '../audit/amendments/amendment.ts'
import type { AuditKey } from '../audit/keys.ts'
import type { Database } from '../database/db.ts'
import { eraseEvents, Reached, takeFrom } from '../erasing/erase-events.ts'
import { eraseFields } from '../erasing/erase-fields.ts'
import { eraseRows, type MemberKey } from '../erasing/erase-rows.ts'
import type { Erased } from './open-ledger.ts'

/**
 * Erases a member again that a restore has brought back, on a database that nobody serves. The ID stays. Erasing twice changes
 * nothing more. Rows go last: by them the cards are found. Of events that are not linked yet, those at doors are only unlinked.
 * Returns what names the member, and the cards that were erased with it.
 */
export async function eraseMember(
  db: Database,
  key: AuditKey,
  now: string,
  act: Act,
  member: MemberKey,
  { includes_cards, deletes }: Erased,
): Promise<readonly string[]> {
  const { card_ids } = await db.transaction(inner => eraseFields(inner, member, now, includes_cards))
  const means = { key, act, deletes, card_ids, reached: new Reached(), size: 500, at_once: 500, now }
  for (let isMore = true; isMore; )
    isMore = await db.transaction(async inner => {
      const { early, has_more } = await eraseEvents(inner, member, means)
      if (early.length > 0)
        await rewriteEvents(inner, member.organization_id, early, event => takeFrom(event, member.member_id))
      return has_more || early.length > 0
    })
  for (let isMore = true; isMore; )
    isMore = (await db.transaction(inner => eraseRows(inner, member, true))).has_more
  return [member.member_id, ...card_ids]
}
