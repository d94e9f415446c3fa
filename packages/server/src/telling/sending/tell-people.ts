import { Flights } from './flights.ts'
import { formMessages } from './form-messages.ts'
import type { Needs } from './needs.ts'
import { sendDue } from './send-due.ts'
import { tellDue } from './tell-due.ts'

/** Returns the organizations that have something due. */
export async function findDue({ db, clock }: Needs): Promise<string[]> {
  const rows = await db.query<{ organization_id: string }>(
    `SELECT DISTINCT organization_id FROM (SELECT organization_id FROM alarm_tellings WHERE due_at <= $1
       UNION ALL SELECT organization_id FROM notifications WHERE status = 'pending' AND next_attempt_at <= $1) due
     WHERE NOT EXISTS (SELECT 1 FROM organization_imports i WHERE i.organization_id = due.organization_id)`,
    [clock.now()],
  )
  return rows.map(({ organization_id }) => organization_id)
}

/**
 * The turn of one organization: queues what its alarms ask for, makes messages of it, and begins to send some.
 * It does not wait for receivers, which may hang: what else happens meanwhile is told meanwhile.
 *
 *   alarm_tellings ─plan─▶ notifications without a message ─group, pace─▶ messages ─send─▶ outcomes
 *
 * Each arrow is a transaction that a crash undoes or leaves done. Only between sending and storing the outcome it
 * repeats a message, when the lease has ended.
 */
export async function takeTurn(needs: Needs, organizationId: string, flights: Flights): Promise<void> {
  while ((await tellDue(needs, organizationId)) === 'more');
  await formMessages(needs, organizationId)
  await sendDue(needs, organizationId, flights)
}

/** Tells people everything that is due, and returns when that is done. */
export async function tellPeople(needs: Needs): Promise<void> {
  const flights = new Flights()
  for (let due = await findDue(needs); due.length > 0; due = await findDue(needs))
    await Promise.all(due.map(id => takeTurn(needs, id, flights))).finally(() => flights.landed())
}
