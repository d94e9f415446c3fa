import type { Database } from '../database/db.ts'
import type { MemberKey } from './erase-rows.ts'

/** A hold that is in force. `$1` is the organization, `now` the placeholder of the time. */
const inForce = (now: string) => `h.organization_id = $1 AND NOT h.is_deleted AND h.expires_at > ${now}`

/** Whether a hold is about when and where an event happened. */
const isThere = (
  event: string,
) => `(h.gadget_ids IS NULL OR ${event}.object->>'gadget_id' = ANY(h.gadget_ids))
  AND (h.starts_at IS NULL OR ${event}.created_at >= h.starts_at) AND (h.ends_at IS NULL OR ${event}.created_at < h.ends_at)`

/**
 * The condition that a legal hold covers an event, for statements whose `$1` is the organization. `event` is the name of the row,
 * `now` the placeholder of the time.
 */
export function isEventHeld(event: string, now: string): string {
  return `EXISTS (SELECT 1 FROM legal_holds h WHERE ${covers(event, now)})`
}

const covers = (event: string, now: string) => `${inForce(now)} AND ${isThere(event)}
    AND (h.member_ids IS NULL OR ${event}.subject->>'member_id' = ANY(h.member_ids) OR ${event}.object->>'member_id' = ANY(h.member_ids))`

interface Hold {
  readonly id: string
  readonly name: string
  readonly expires_at: string
}

/** The legal hold that covers an event longest. */
export async function findHoldOf(
  db: Database,
  organization_id: string,
  event_id: string,
  now: string,
): Promise<Hold | undefined> {
  const [hold] = await db.query<Hold>(
    `SELECT h.id, h.name, h.expires_at FROM events e CROSS JOIN legal_holds h
     WHERE e.organization_id = $1 AND e.id = $2 AND ${covers('e', '$3')} ORDER BY h.expires_at DESC LIMIT 1`,
    [organization_id, event_id, now],
  )
  return hold
}

/**
 * Whether a legal hold covers a member: it names the member, or it names nobody and covers an event of the member, from which the
 * member may not be taken.
 */
export async function isMemberHeld(
  db: Database,
  { organization_id, member_id }: MemberKey,
  now: string,
): Promise<boolean> {
  const ofMember = (side: 'subject' | 'object') =>
    `SELECT 1 FROM events e WHERE e.organization_id = $1 AND e.${side}->>'member_id' = $2 AND ${isThere('e')}`
  const rows = await db.query(
    `SELECT 1 FROM legal_holds h WHERE ${inForce('$3')} AND (h.member_ids @> ARRAY[$2::text]
       OR (h.member_ids IS NULL AND (EXISTS (${ofMember('subject')}) OR EXISTS (${ofMember('object')})))) LIMIT 1`,
    [organization_id, member_id, now],
  )
  return rows.length > 0
}
