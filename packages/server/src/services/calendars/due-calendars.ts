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

/** How many organizations wait until those have had their turn that had none lately. */
const mostServed = 20

/**
 * Takes on the calendars that are due, one after another. Organizations take turns, so that one with many slow
 * sources delays nobody else.
 */
export async function* takeDue(context: Pick<Context, 'db' | 'clock'>): AsyncGenerator<DueCalendar> {
  const served = new Set<string>()
  for (;;) {
    const due = await takeOne(context, [...served])
    if (due) yield due
    else if (served.size === 0) return
    if (!due || served.size >= mostServed) served.clear()
    if (due) served.add(due.organization_id)
  }
}

/**
 * Takes on the calendar that is due first, among those of organizations that no process refreshes at the moment.
 * Of each organization only the first counts, because two processes that look at the same time could otherwise
 * take on two of them.
 */
async function takeOne(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  served: readonly string[],
): Promise<DueCalendar | undefined> {
  const now = clock.now()
  const [due] = await db.query<DueCalendar>(
    `UPDATE calendars c SET refresh_owner = $1, refresh_owned_until = $3 FROM (
       SELECT organization_id, id FROM calendars d WHERE NOT is_deleted AND refresh_due_at <= $2 AND source IS NOT NULL
         AND (refresh_owned_until IS NULL OR refresh_owned_until <= $2)
         AND organization_id <> ALL ($4)
         AND NOT EXISTS (SELECT 1 FROM calendars o WHERE o.organization_id = d.organization_id AND o.id <> d.id
           AND NOT o.is_deleted AND (o.refresh_owned_until > $2
             OR (o.source IS NOT NULL AND (o.refresh_due_at, o.id) < (d.refresh_due_at, d.id))))
         AND NOT EXISTS (SELECT 1 FROM organization_imports i WHERE i.organization_id = d.organization_id)
       ORDER BY refresh_due_at LIMIT 1 FOR UPDATE SKIP LOCKED) due
     WHERE c.organization_id = due.organization_id AND c.id = due.id
     RETURNING c.organization_id, c.id, c.source, c.url_ciphertext, c.refresh_owner, c.refresh_due_at, c.accepted_hash`,
    [randomUUID(), now, addSeconds(now, lease), served],
  )
  return due
}

/** Seconds until a refresh that failed unexpectedly is tried again. */
const soon = 300

/** Gives a calendar back, unless somebody else has it by now or has asked for a refresh meanwhile. */
export async function putOff({ db, clock }: Pick<Context, 'db' | 'clock'>, due: DueCalendar): Promise<void> {
  await db.query(
    `UPDATE calendars SET refresh_owner = NULL, refresh_owned_until = NULL,
       refresh_due_at = CASE WHEN refresh_due_at > $4 THEN refresh_due_at ELSE $5 END
     WHERE organization_id = $1 AND id = $2 AND refresh_owner = $3`,
    [due.organization_id, due.id, due.refresh_owner, due.refresh_due_at, addSeconds(clock.now(), soon)],
  )
}
