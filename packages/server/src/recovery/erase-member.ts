import { rewriteEvents } from '../audit/amendments/amend.ts'
import type { Act } from '../audit/amendments/amendment.ts'
import { unlinkEvent } from '../audit/amendments/unlink.ts'
import type { AuditKey } from '../audit/keys.ts'
import type { Database } from '../database/db.ts'
import { eraseEvents, Reached } from '../erasing/erase-events.ts'
import { eraseFields } from '../erasing/erase-fields.ts'
import { eraseRows, type MemberKey } from '../erasing/erase-rows.ts'

/**
 * Erases a member again that a restore has brought back, on a database that nobody serves. The ID stays. Erasing twice changes
 * nothing more. Cards stay as they were: whether the erasure included them is not in the ledger.
 */
export async function eraseMember(
  db: Database,
  key: AuditKey,
  now: string,
  act: Act,
  member: MemberKey,
): Promise<void> {
  await db.transaction(inner => eraseFields(inner, member, now, false))
  for (let isMore = true; isMore; )
    isMore = (await db.transaction(inner => eraseRows(inner, member, true))).has_more
  const reached = new Reached()
  for (let isMore = true; isMore; )
    isMore = await db.transaction(async inner => {
      const found = await eraseEvents(inner, member, {
        key,
        act,
        deletes: false,
        card_ids: [],
        reached,
        size: 500,
        at_once: 500,
        now,
      })
      const left = found.early
      if (left.length > 0)
        await rewriteEvents(inner, member.organization_id, left, event =>
          unlinkEvent(event, member.member_id),
        )
      return found.has_more || left.length > 0
    })
}
