import { type Parts, parseShape, RequestError, type Shape } from '@gatehouse-access/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../../database/db.ts'
import { networkOf } from '../../network/networks.ts'
import { requireAdmission } from '../../services/accounts/admission.ts'
import type { Session } from '../../services/accounts/sessions.ts'
import type { Context, Work } from '../../services/objects/context.ts'
import { type Role, requireRole } from '../../services/roles/roles.ts'
import { type Voice, voiceOf } from '../../texts/language.ts'
import type { Service } from '../api/exchange.ts'
import { languageFor } from '../browser/chosen-language.ts'
import { userCaller } from '../browser/user-caller.ts'
import { bodyOf } from '../kit/body.ts'
import { idOf, type PathNames, pathOf } from '../kit/path-and-query.ts'
import { allowanceHeaders } from '../kit/rate-limit.ts'

/** A request from this service's pages or console by a signed-in user. */
export interface Visit {
  readonly service: Service
  readonly context: Context
  readonly request: FastifyRequest
  readonly session: Session
  readonly ids: PathNames
  readonly voice: Voice
}

/** Authenticates the request. All methods but GET must carry the CSRF header. */
export async function openVisit(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Visit> {
  const { limits, turnstile } = service
  const network = networkOf(request.ip)
  if (limits) reply.headers(allowanceHeaders(limits.take('visitors', network)))
  const session = await service.sessions.find(request, load => turnstile.run('look_up', network, 1, load))
  if (limits && session) reply.headers(allowanceHeaders(limits.take('user', session.user_id)))
  if (!session)
    throw new RequestError('unauthenticated', 'sign in first, at /sign-in', {
      headers: { 'www-authenticate': 'Cookie' },
    })
  if (request.method !== 'GET') service.sessions.requireCsrf(request)
  const ids = pathOf(request)
  for (const id of Object.values(ids))
    if (!/^\w{1,64}$/.test(id)) throw new RequestError('not_found', 'there is nothing with this id')
  return {
    service,
    context: service.context,
    request,
    session,
    ids,
    voice: voiceOf(languageFor(request.headers)),
  }
}

export function readBody<const P extends Parts>({ request }: Visit, parts: P): Shape<P> {
  return parseShape(parts, bodyOf(request), '')
}

/** Runs a change to an organization in one transaction. Throws unless the user has at least this role. */
export async function changeIn<T>(
  visit: Visit,
  least: Role | 'any',
  change: (work: Work, role: Role) => Promise<T>,
): Promise<T> {
  const { context } = visit
  const result = await context.db.transaction(async db => {
    const { role, work } = await enter(visit, db, least)
    return change(work, role)
  })
  return result
}

async function enter(visit: Visit, db: Database, least: Role | 'any'): Promise<{ role: Role; work: Work }> {
  const { context, request, session, ids } = visit
  const organization_id = idOf({ ids }, 'organization_id')
  const role = await requireRole(db, organization_id, session.user_id, least)
  visit.service.limits?.take('organization', organization_id)
  await requireAdmission(context, db, session, organization_id)
  const caller = userCaller(request, session, organization_id)
  return { role, work: { context, db, caller, now: context.clock.now() } }
}

/** For reads. The session was already admitted to the organization. */
export async function requireMember(
  { service, context, session, ids }: Visit,
  least: Role = 'viewer',
): Promise<Role> {
  const organization_id = idOf({ ids }, 'organization_id')
  const role = await requireRole(context.db, organization_id, session.user_id, least)
  service.limits?.take('organization', organization_id)
  return role
}
