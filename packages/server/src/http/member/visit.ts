import type { MemberEndpoint } from '@gatehouse-access/api'
import { parseShape, RequestError } from '@gatehouse-access/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../../database/db.ts'
import { networkOf } from '../../network/networks.ts'
import { memberGone } from '../../services/guests/gone.ts'
import { credentialSuspended, findGuest, type GuestSession } from '../../services/guests/sessions.ts'
import type { Context, Work } from '../../services/objects/context.ts'
import type { Caller } from '../../store/caller.ts'
import { readBearer } from '../api/authenticate.ts'
import { bodyOf } from '../kit/body.ts'
import { readClientInfo } from '../kit/client-info.ts'
import { type PathNames, pathOf } from '../kit/path-and-query.ts'
import { allowanceHeaders, RateLimiter } from '../kit/rate-limit.ts'
import type { Turnstile } from '../turnstile/turnstile.ts'

/** Requests per second for each member, and for each network that is not signed in. */
const rates = { member: 10, address: 5 } as const

/** State shared by all requests of the member API. */
export interface GuestService {
  readonly context: Context
  readonly turnstile: Turnstile
  readonly limiters: { readonly member: RateLimiter; readonly address: RateLimiter } | undefined
}

export function openGuestService(context: Context, turnstile: Turnstile): GuestService {
  const limiters = { member: new RateLimiter(rates.member), address: new RateLimiter(rates.address) }
  return { context, turnstile, limiters: context.config.rate_limit > 0 ? limiters : undefined }
}

export interface GuestVisit {
  readonly context: Context
  readonly request: FastifyRequest
  readonly ids: PathNames
  readonly body: Readonly<Record<string, unknown>>
  readonly address: string
}

export interface MemberVisit extends GuestVisit {
  readonly guest: GuestSession
}

/** Checks in the same order as /v2: authentication, rate limit, id formats, body. */
export async function openMemberVisit(
  { context, limiters, turnstile }: GuestService,
  endpoint: MemberEndpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<GuestVisit & { guest: GuestSession | undefined }> {
  const network = networkOf(request.ip)
  const guest = endpoint.is_signed_in
    ? await turnstile.run('look_up', network, 1, () => recognize(context, request))
    : undefined
  const allowance = guest ? limiters?.member.take(guest.member_id) : limiters?.address.take(network)
  if (allowance) reply.headers(allowanceHeaders(allowance))
  // All sessions ended with the restore. The page says so instead of asking to sign in.
  if (endpoint.is_signed_in && !guest) throw unauthenticated(context.recovery.is_on ? 'recovered' : undefined)
  if (guest && endpoint.id !== 'gadget.run_action') await refuseRevoked(context, guest)
  const ids = pathOf(request)
  for (const [name, type] of Object.entries(endpoint.params)) type.parse(ids[name], name)
  const body = endpoint.body ? parseShape(endpoint.body, bodyOf(request), '') : {}
  return { context, request, ids, body, address: request.ip, guest }
}

async function recognize(context: Context, request: FastifyRequest): Promise<GuestSession | undefined> {
  const token = readBearer(request.headers.authorization)
  return token === undefined ? undefined : findGuest(context, token)
}

function unauthenticated(reason?: string): RequestError {
  return new RequestError('unauthenticated', 'sign in first: send a session token or a member token', {
    headers: { 'www-authenticate': 'Bearer' },
    ...(reason && { args: { reason } }),
  })
}

/** Not called for `gadget.run_action`, which checks this itself because it logs denied attempts as events. */
async function refuseRevoked(context: Context, guest: GuestSession): Promise<void> {
  if (guest.is_member_deleted) throw await memberGone(context, guest)
  if (guest.is_credential_deleted) throw unauthenticated('credential_deleted')
  if (guest.is_credential_suspended) throw credentialSuspended()
}

export function guestWork({ context, request }: GuestVisit, guest: Holder, db?: Database): Work {
  return { context, db: db ?? context.db, caller: guestCaller(request, guest), now: context.clock.now() }
}

type Holder = Omit<
  GuestSession,
  'session_id' | 'is_member_deleted' | 'is_credential_deleted' | 'is_credential_suspended'
>

/** Events record the member, the credential that was used and the phone. */
function guestCaller(request: FastifyRequest, guest: Holder): Caller {
  const { organization_id, member_id, member_magic_link_id, member_email_id, member_token_id } = guest
  return {
    organization_id,
    oauth_application_id: undefined,
    user_id: undefined,
    scopes: [],
    features: { whitelabel: false },
    subject: () => ({
      member_id,
      ...(member_magic_link_id && { member_magic_link_id }),
      ...(member_email_id && { member_email_id }),
      ...(member_token_id && { member_token_id }),
      access_method: 'online',
      ip_address: request.ip,
      client: readClientInfo(request.headers['user-agent']),
    }),
  }
}
