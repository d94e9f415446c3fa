import { isColumn, personalOf, resources } from '@gatehouse-access/api'
import type { Database } from '../database/db.ts'
import { searchText } from '../store/search.ts'
import type { MemberKey } from './erase-rows.ts'

/** What is left of each personal field of a member, by its declaration. */
const emptied = Object.entries(resources.member.fields)
  .filter(([, field]) => isColumn(field) && personalOf(field) != null)
  .map(([name, { type }]) => `${name} = ${type.column === 'jsonb' ? `'{}'` : 'NULL'}`)

/** A suspension would be lifted at its end, with an event that names the member. The reason of the member is emptied as personal. */
const unsuspended = 'is_suspended = false, suspended_until = NULL'

interface Erased {
  /** The cards that were emptied. */
  readonly card_ids: string[]
}

/**
 * Empties a member in the transaction that deletes it, and what is found by its addresses. Its rows elsewhere follow in batches.
 * Whatever is unique is free: names of cards and external IDs.
 */
export async function eraseFields(
  db: Database,
  { organization_id, member_id }: MemberKey,
  now: string,
  includesCards: boolean,
): Promise<Erased> {
  const of = [organization_id, member_id]
  await forgetAddresses(db, of)
  const card_ids = includesCards ? await eraseCards(db, { organization_id, member_id }) : []
  for (const table of ['member_pins', 'member_cards'] as const)
    await db.query(
      `UPDATE ${table} SET is_claimed = false WHERE organization_id = $1 AND member_id = $2 AND is_claimed`,
      of,
    )
  for (const table of credentials)
    await db.query(
      `UPDATE ${table} SET is_deleted = true, metadata = '{}', ${unsuspended} WHERE organization_id = $1 AND member_id = $2`,
      of,
    )
  await db.query(
    `UPDATE member_group_associations SET is_deleted = true, metadata = '{}' WHERE organization_id = $1 AND member_id = $2`,
    of,
  )
  await db.query('DELETE FROM member_sessions WHERE organization_id = $1 AND member_id = $2', of)
  await db.query('DELETE FROM tag_holders WHERE organization_id = $1 AND object_id = $2', of)
  await db.query(
    `UPDATE members SET ${emptied.join(', ')}, search_text = '', tag_ids = '{}', starts_at = NULL, ends_at = NULL, auto_delete_at = NULL,
       desk_site_ids = NULL, ${unsuspended}, is_deleted = true, erased_at = $3 WHERE organization_id = $1 AND id = $2`,
    [...of, now],
  )
  return { card_ids }
}

const credentials = [
  'member_emails',
  'member_magic_links',
  'member_pins',
  'member_cards',
  'member_tokens',
] as const

/** Cards that nobody else has, or got since: what is said of those is about others. A card is still found by what is printed on it. */
async function eraseCards(db: Database, { organization_id, member_id }: MemberKey): Promise<string[]> {
  const cards = await db.query<{ id: string; uid: string | null; printed_code: string | null }>(
    `SELECT id, uid, printed_code FROM cards WHERE organization_id = $1 AND id IN (
       SELECT h.card_id FROM member_cards h WHERE h.organization_id = $1 AND h.member_id = $2 AND (h.is_claimed OR NOT EXISTS (
         SELECT 1 FROM member_cards o JOIN members m ON m.organization_id = o.organization_id AND m.id = o.member_id
         WHERE o.organization_id = $1 AND o.card_id = h.card_id AND o.member_id <> $2 AND m.erased_at IS NULL
           AND (o.is_claimed OR (o.created_at, o.id) > (h.created_at, h.id))))) FOR UPDATE`,
    [organization_id, member_id],
  )
  for (const { id, ...kept } of cards)
    await db.query(
      `UPDATE cards SET name = NULL, lost_reason = NULL, metadata = '{}', search_text = $3 WHERE organization_id = $1 AND id = $2`,
      [organization_id, id, searchText(resources.card, kept)],
    )
  return cards.map(({ id }) => id)
}

/**
 * What waits for an answer from an address, unless somebody else has the address: it signs in to all organizations, and erasing a
 * member of one must not keep a guest out of another.
 */
async function forgetAddresses(db: Database, of: readonly string[]): Promise<void> {
  const own = `SELECT e.email_key FROM member_emails e WHERE e.organization_id = $1 AND e.member_id = $2
    AND NOT EXISTS (SELECT 1 FROM member_emails o WHERE lower(o.email_key) = lower(e.email_key) AND NOT o.is_deleted
      AND (o.organization_id, o.member_id) <> ($1, $2))`
  await db.query(`DELETE FROM mail_codes WHERE purpose = 'guest' AND email_key IN (${own})`, of)
  await db.query(`DELETE FROM member_tickets WHERE email_key IN (${own})`, of)
}
