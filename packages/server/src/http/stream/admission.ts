import { RequestError } from '@gatehouse/api'
import type { FastifyRequest } from 'fastify'
import { digest } from '../../vault.ts'
import { readBearer } from '../authenticate.ts'
import type { Service } from '../exchange.ts'
import type { Grant } from '../tokens.ts'

export interface Admission {
  readonly grant: Grant
  readonly token_hash: Buffer
}

/** Who opens a stream: by the Bearer header, or by a ticket. Never by a cookie, which any page could make a browser send. */
export async function admit({ tokens, context }: Service, request: FastifyRequest): Promise<Admission> {
  const token = readBearer(request.headers.authorization)
  const { ticket } = request.query as { ticket?: unknown }
  const token_hash = token
    ? digest(token)
    : typeof ticket === 'string'
      ? await redeem(context, ticket)
      : undefined
  const grant = token_hash && (await tokens.findByHash(token_hash))
  if (!grant || !token_hash) throw refused()
  return { grant, token_hash }
}

/** The ticket is gone with its first use. */
async function redeem({ db, clock }: Service['context'], ticket: string): Promise<Buffer | undefined> {
  const [row] = await db.query<{ token_hash: Buffer }>(
    'DELETE FROM stream_tickets WHERE ticket_hash = $1 AND expires_at > $2 RETURNING token_hash',
    [digest(ticket), clock.now()],
  )
  return row && Buffer.from(row.token_hash)
}

function refused(): RequestError {
  return new RequestError(
    'unauthenticated',
    'a stream needs an access token in the header Authorization: Bearer <ACCESS_TOKEN>, or a fresh ticket',
    { headers: { 'www-authenticate': 'Bearer' } },
  )
}
