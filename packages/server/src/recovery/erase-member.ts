import { eraseEvent } from '../audit/erase.ts'
import type { AuditKey } from '../audit/keys.ts'
import { StartError } from '../config/start-error.ts'
import type { Database } from '../database/db.ts'

interface MemberKey {
  readonly organization_id: string
  readonly id: string
}

/**
 * Removes everything personal from a member, its credentials, and the events and deliveries that name it.
 * The ids remain: the audit chain and other rows refer to them. Erasing twice changes nothing more.
 */
export async function eraseMember(
  db: Database,
  key: AuditKey,
  now: string,
  { organization_id, id }: MemberKey,
): Promise<void> {
  const of = [organization_id, id]
  for (const statement of blanks)
    await db.query(`${statement} WHERE organization_id = $1 AND member_id = $2`, of)
  await db.query(
    `UPDATE members SET name = NULL, external_id = NULL, language = NULL, metadata = '{}', tag_ids = '{}', search_text = '', is_deleted = true
     WHERE organization_id = $1 AND id = $2`,
    of,
  )
  const events = await db.query<{ id: string }>(
    `SELECT id FROM events WHERE organization_id = $1 AND subject->>'member_id' = $2
     UNION SELECT id FROM events WHERE organization_id = $1 AND object->>'member_id' = $2`,
    of,
  )
  for (const { id: event_id } of events) await eraseOne(db, key, now, organization_id, event_id)
}

const blanks = [
  `UPDATE member_emails SET email = id || '@erased.invalid', email_key = id || '@erased.invalid', search_text = '', metadata = '{}', is_deleted = true`,
  `UPDATE member_magic_links SET metadata = '{}', is_deleted = true`,
  `UPDATE member_pins SET metadata = '{}', is_deleted = true, is_claimed = false`,
  `UPDATE member_cards SET metadata = '{}', is_deleted = true, is_claimed = false`,
  `UPDATE member_tokens SET metadata = '{}', is_deleted = true`,
  `UPDATE member_group_associations SET metadata = '{}', is_deleted = true`,
  'DELETE FROM guest_mails',
] as const

/** An event that is not in the chain yet, or was altered, is emptied without a receipt. */
async function eraseOne(
  db: Database,
  key: AuditKey,
  now: string,
  organizationId: string,
  event_id: string,
): Promise<void> {
  const said = { event_id, by: 'gatehouse restore', reason: 'erased before the restore' }
  await eraseEvent(db, key, now, said).catch(async error => {
    if (!(error instanceof StartError)) throw error
    await db.query(
      `UPDATE events SET subject = '{}', object = jsonb_build_object('type', object->'type'), explanation = NULL
       WHERE organization_id = $1 AND id = $2`,
      [organizationId, event_id],
    )
  })
  const of = [organizationId, event_id]
  await db.query('DELETE FROM webhook_bodies WHERE organization_id = $1 AND event_id = $2', of)
  await db.query(
    `UPDATE webhook_deliveries SET status = 'canceled', next_attempt_at = NULL, finished_at = $3
     WHERE organization_id = $1 AND event_id = $2 AND status = 'pending'`,
    [...of, now],
  )
}
