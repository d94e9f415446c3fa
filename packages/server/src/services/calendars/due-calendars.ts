import { randomUUID } from 'node:crypto'
import type { CalendarSource } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import type { Context } from '../objects/context.ts'

/** A refresh that this process has taken on. */
export interface DueCalendar {
  readonly organization_id: string
  readonly id: string
  readonly source: CalendarSource
  readonly url_ciphertext: Uint8Array | null
  readonly refresh_owner: string
  readonly refresh_due_at: string
  readonly accepted_hash: string | null
}

/** Seconds after which another process may begin again: whoever took it on has died. */
const lease = 120
const together = 4

/** Takes on a few calendars that are due and that nobody else refreshes. */
export function takeDue({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<DueCalendar[]> {
  const now = clock.now()
  return db.query<DueCalendar>(
    `UPDATE calendars c SET refresh_owner = $1, refresh_owned_until = $3 FROM (
       SELECT organization_id, id FROM calendars WHERE NOT is_deleted AND refresh_due_at <= $2 AND source IS NOT NULL
         AND (refresh_owned_until IS NULL OR refresh_owned_until <= $2)
         AND NOT EXISTS (SELECT 1 FROM organization_imports i WHERE i.organization_id = calendars.organization_id)
       ORDER BY refresh_due_at LIMIT ${together} FOR UPDATE SKIP LOCKED) due
     WHERE c.organization_id = due.organization_id AND c.id = due.id
     RETURNING c.organization_id, c.id, c.source, c.url_ciphertext, c.refresh_owner, c.refresh_due_at, c.accepted_hash`,
    [randomUUID(), now, addSeconds(now, lease)],
  )
}
