import { RequestError } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import type { Row } from '../../database/db.ts'
import { digest, newSecret } from '../../vault/vault.ts'
import type { InputOf } from '../objects/action.ts'
import type { Context } from '../objects/context.ts'
import type { Holder } from './stream-holders.ts'

const lifetime = 30

/** Issues a ticket for the caller's token or session. When that ends, the stream of the ticket ends too. */
export async function issueStreamTicket({
  work,
  readBody,
}: InputOf<'event', 'issue_stream_ticket'>): Promise<Row> {
  readBody()
  const { token_hash, user_id, organization_id } = work.caller
  if (!token_hash) throw new RequestError('permission_denied', 'a stream ticket needs an access token')
  const ticket = newSecret('ght')
  const expires_at = addSeconds(work.now, lifetime)
  await work.db.query(
    'INSERT INTO stream_tickets (ticket_hash, token_hash, expires_at, organization_id) VALUES ($1, $2, $3, $4)',
    [digest(ticket), token_hash, expires_at, user_id ? organization_id : null],
  )
  return { ticket, expires_at }
}

/** Consumes the ticket: it can be used once. */
export async function redeemStreamTicket(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  ticket: string,
): Promise<Holder | undefined> {
  const [row] = await db.query<{ token_hash: Buffer; organization_id: string | null }>(
    'DELETE FROM stream_tickets WHERE ticket_hash = $1 AND expires_at > $2 RETURNING token_hash, organization_id',
    [digest(ticket), clock.now()],
  )
  if (!row) return undefined
  const token_hash = Buffer.from(row.token_hash)
  return row.organization_id ? { token_hash, organization_id: row.organization_id } : { token_hash }
}
