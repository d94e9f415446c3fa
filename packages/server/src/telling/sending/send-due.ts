import { notSent, type Outcome } from '../../channels/outcome.ts'
import { onOneLine } from '../../texts/fill-gaps.ts'
import { compose } from './compose.ts'
import { findReceiver } from './find-receiver.ts'
import type { Flights } from './flights.ts'
import type { Needs } from './needs.ts'
import { record } from './record.ts'
import { sendMessage } from './send-message.ts'
import { type Taken, takeMessages } from './take-messages.ts'

/** Begins to send what is due of an organization, as far as there is room. Until the lease ends, nobody else does. */
export function sendDue(needs: Needs, organizationId: string, flights: Flights): Promise<void> {
  return flights.launch(
    organizationId,
    most => takeMessages(needs, organizationId, most),
    taken =>
      sendOne(needs, organizationId, taken).catch(error =>
        needs.log.error({ err: error, organization_id: organizationId }, 'a message is sent later'),
      ),
  )
}

async function sendOne(needs: Needs, organizationId: string, taken: Taken): Promise<void> {
  const attempted_at = needs.clock.now()
  const outcome = await attempt(needs, organizationId, taken).catch(error => {
    needs.log.error({ err: error, organization_id: organizationId }, 'a message could not be sent')
    return notSent
  })
  if (outcome === 'nobody') await cancel(needs, organizationId, taken.message_id)
  else await record(needs, organizationId, taken, attempted_at, outcome)
}

async function attempt(needs: Needs, organizationId: string, taken: Taken): Promise<Outcome | 'nobody'> {
  const receiver = await findReceiver(needs, organizationId, taken)
  if (!receiver) return 'nobody'
  const organization = await findOrganization(needs, organizationId)
  const message = await compose(needs, organization, taken, receiver.language)
  return sendMessage(needs, receiver, message)
}

async function findOrganization({ db }: Needs, id: string): Promise<{ id: string; name: string }> {
  const [row] = await db.query<{ name: string }>('SELECT name FROM organizations WHERE id = $1', [id])
  return { id, name: onOneLine(row?.name ?? '') }
}

/** The target is deleted, or the user has left: there is nobody to tell. */
async function cancel({ db, clock }: Needs, organizationId: string, message_id: string): Promise<void> {
  await db.query(
    `UPDATE notifications SET status = 'canceled', next_attempt_at = NULL, finished_at = $3
     WHERE organization_id = $1 AND message_id = $2 AND status = 'pending'`,
    [organizationId, message_id, clock.now()],
  )
}
