import { RequestError, readsKind } from '@gatehouse-access/api'
import type { FastifyRequest } from 'fastify'
import type { LookUp } from '../../flow/short-memory.ts'
import { networkOf } from '../../network/networks.ts'
import { findUserGrant, type Holder, type StreamGrant } from '../../services/applications/stream-holders.ts'
import { redeemStreamTicket } from '../../services/applications/stream-tickets.ts'
import { digest } from '../../vault/vault.ts'
import { readBearer } from '../api/authenticate.ts'
import type { Service } from '../api/exchange.ts'
import { queryOf } from '../kit/path-and-query.ts'

export interface Admission {
  readonly grant: StreamGrant
  readonly holder: Holder
}

/** Authenticates by Bearer header or ticket, never by cookie: any page can make a browser send cookies. */
export async function admit(service: Service, request: FastifyRequest): Promise<Admission> {
  const network = networkOf(request.ip)
  service.limits?.take('address', network)
  const token = readBearer(request.headers.authorization)
  const { ticket } = queryOf(request)
  const inTurn: LookUp = load => service.turnstile.run('look_up', network, 1, load)
  const holder = token
    ? { token_hash: digest(token) }
    : typeof ticket === 'string'
      ? await inTurn(() => redeemStreamTicket(service.context, ticket))
      : undefined
  const grant = holder && (await findGrant(service, holder, inTurn))
  if (!grant) throw refused()
  service.limits?.giveBack('address', network)
  if (!readsKind(grant.scopes, 'event')) throw tooSmall()
  return { grant, holder }
}

function findGrant(
  { tokens, context }: Service,
  holder: Holder,
  inTurn: LookUp,
): Promise<StreamGrant | undefined> {
  return holder.organization_id
    ? inTurn(() => findUserGrant(context, holder))
    : tokens.findByHash(holder.token_hash, inTurn)
}

function tooSmall(): RequestError {
  return new RequestError('permission_denied', 'this requires a token with the scope events:read', {
    args: { reason: 'scope_too_small', scope: 'events:read' },
  })
}

function refused(): RequestError {
  return new RequestError(
    'unauthenticated',
    'a stream needs an access token in the header Authorization: Bearer <ACCESS_TOKEN>, or a fresh ticket',
    { headers: { 'www-authenticate': 'Bearer' } },
  )
}
