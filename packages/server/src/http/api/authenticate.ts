import {
  dryRunScopesOf,
  type EventSubject,
  RequestError,
  scopesOf,
  siteRoleScopes,
  siteRoleScopesOf,
} from '@gatehouse-access/api'
import { isRecord } from '../../flow/record.ts'
import type { LookUp } from '../../flow/short-memory.ts'
import { networkOf } from '../../network/networks.ts'
import { findRefusal, refused, requireRecent } from '../../services/accounts/admission.ts'
import type { Grant } from '../../services/applications/token-cache.ts'
import { findBounds } from '../../services/roles/bounds.ts'
import type { Caller } from '../../store/caller.ts'
import { digest } from '../../vault/vault.ts'
import { userCaller } from '../browser/user-caller.ts'
import { readClientInfo } from '../kit/client-info.ts'
import { queryOf } from '../kit/path-and-query.ts'
import { type Allowance, allowanceHeaders } from '../kit/rate-limit.ts'
import type { Asked, Exchange } from './exchange.ts'

/**
 * Identifies the caller and takes from its rate limit. Applications send a Bearer token; users of this
 * service's pages send a session cookie. Requests without either count by address.
 */
export function authenticate(exchange: Exchange): void | Promise<void> {
  const { headers } = exchange.request
  if (headers.authorization === undefined && headers['x-organization-id'] !== undefined)
    return authenticateUser(exchange)
  const token = readBearer(headers.authorization)
  const grant = token && exchange.service.tokens.recall(token)
  return grant ? admit(exchange, token, grant) : authenticateApplication(exchange, token)
}

async function authenticateApplication(exchange: Exchange, token: string | undefined): Promise<void> {
  const grant = await charge(exchange, async inTurn =>
    token === undefined || token.startsWith('ak_') ? undefined : exchange.service.tokens.find(token, inTurn),
  )
  if (!grant || token === undefined) throw unauthenticated(token)
  admit(exchange, token, grant)
}

function admit(exchange: Exchange, token: string, grant: Grant): void {
  tellAllowance(
    exchange,
    exchange.service.limits?.takeWithin(grant.organization_id, grant.oauth_application_id),
  )
  exchange.caller = new ApplicationCaller(grant, exchange.request, token)
}

/** Endpoints that need a recent sign-in, because they create a key that works without one. */
const grave = new Set(['device.issue_credentials'])

/** The cookie alone is not enough: the CSRF header proves that the request comes from this origin. */
async function authenticateUser(exchange: Exchange): Promise<void> {
  const { request, service } = exchange
  const session = await charge(exchange, inTurn => service.sessions.find(request, inTurn))
  if (!session) throw unauthenticated(undefined)
  // Counted by user: it is not verified yet that the organization in the header is one of the user's.
  tellAllowance(exchange, service.limits?.take('grant', session.user_id))
  service.sessions.requireCsrf(request)
  const organization_id = String(request.headers['x-organization-id'])
  const membership = await service.sessions.roleIn(organization_id, session.user_id)
  if (!membership)
    throw new RequestError('permission_denied', 'X-Organization-Id is not one of your organizations', {
      args: { reason: 'no_such_organization' },
    })
  service.limits?.take('organization', organization_id)
  const refusal = findRefusal(service.context, session, membership)
  if (refusal) throw refused(refusal)
  if (grave.has(exchange.endpoint.id)) requireRecent(service.context, session)
  const token_hash = service.sessions.tokenHash(request)
  const { site_ids } = membership
  const bounds = site_ids ? await findBounds(service.context, organization_id, site_ids) : undefined
  exchange.caller = userCaller(request, session, organization_id, membership, token_hash, bounds)
}

/** Takes further requests from the rate limit of an identified caller: each operation of a bulk counts. */
export function takeMore(exchange: Exchange, amount: number): void {
  const { limits } = exchange.service
  const { organization_id, oauth_application_id, user_id } = exchange.caller
  if (!limits || amount === 0) return
  const allowance = oauth_application_id
    ? limits.takeWithin(organization_id, oauth_application_id, amount)
    : limits.takeBoth('grant', user_id ?? '', organization_id, amount)
  tellAllowance(exchange, allowance)
}

/** Charges the lookup to the address, and refunds it if the caller is found. This limits token guessing. */
async function charge<Found>(
  exchange: Exchange,
  find: (inTurn: LookUp) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const network = networkOf(exchange.request.ip)
  const { limits, turnstile } = exchange.service
  tellAllowance(exchange, limits?.take('address', network))
  const found = await find(load => turnstile.run('look_up', network, 1, load))
  if (found) limits?.giveBack('address', network)
  return found
}

function tellAllowance({ reply }: Exchange, allowance: Allowance | undefined): void {
  if (allowance) reply.headers(allowanceHeaders(allowance))
}

export function readBearer(header: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1]
}

/** Created for every request, so rarely used values are computed on demand. */
class ApplicationCaller implements Caller {
  readonly organization_id: string
  readonly oauth_application_id: string
  readonly user_id = undefined
  readonly scopes: readonly string[]
  readonly features: Grant['features']
  readonly #request: Asked
  readonly #token: string

  constructor(grant: Grant, request: Asked, token: string) {
    this.organization_id = grant.organization_id
    this.oauth_application_id = grant.oauth_application_id
    this.scopes = grant.scopes
    this.features = grant.features
    this.#request = request
    this.#token = token
  }

  get token_hash(): Buffer {
    return digest(this.#token)
  }

  subject(): EventSubject {
    return {
      oauth_application_id: this.oauth_application_id,
      ip_address: this.#request.ip,
      client: readClientInfo(this.#request.headers['user-agent']),
    }
  }
}

function unauthenticated(token: string | undefined): RequestError {
  return new RequestError('unauthenticated', explain(token), { headers: { 'www-authenticate': 'Bearer' } })
}

function explain(token: string | undefined): string {
  if (token === undefined) return 'send an access token in the header Authorization: Bearer <ACCESS_TOKEN>'
  if (token.startsWith('ak_'))
    return 'keys of the form ak_… ended on 10 November 2026; use an OAuth 2.0 access token or a new API key instead'
  return 'the access token is unknown, expired or revoked; get a new one'
}

/** A read-only token can still manage the webhooks of its own application. */
export function requireScope({ endpoint, caller, request }: Exchange): void {
  if (hasSiteRole(caller)) {
    requireSiteRole(endpoint.id, caller)
    return
  }
  if (endpoint.resource.owned_by_application && !caller.oauth_application_id)
    throw new RequestError(
      'permission_denied',
      'only applications have webhooks; developers manage them under /account',
      {
        args: { reason: 'application_only' },
      },
    )
  const sufficient = queryOf(request).dry_run === 'true' ? dryRunScopesOf(endpoint) : scopesOf(endpoint)
  if (sufficient.some(scope => caller.scopes.includes(scope))) return
  const needed = sufficient[0] ?? 'full_read_write'
  throw new RequestError('permission_denied', `this requires a token with the scope ${needed}`, {
    args: { reason: 'scope_too_small', scope: needed },
  })
}

/** An edit can delete and restore, which is another endpoint's right. The body tells. */
export function requireDeleting({ endpoint, caller, request }: Exchange): void {
  if (hasSiteRole(caller) && isRecord(request.body) && 'is_deleted' in request.body)
    requireSiteRole(`${endpoint.resource.kind}.delete`, caller)
}

/** Whether the caller is a user whose role reaches only a part of the API. */
export function hasSiteRole({ scopes }: Caller): boolean {
  return siteRoleScopes.some(scope => scopes.includes(scope))
}

function requireSiteRole(endpointId: string, { scopes }: Caller): void {
  if (!siteRoleScopesOf(endpointId).some(scope => scopes.includes(scope))) throw outsideRole()
}

export function outsideRole(): RequestError {
  return new RequestError('permission_denied', 'your role does not include this; ask an administrator', {
    args: { reason: 'role_too_low', role: 'administrator' },
  })
}
