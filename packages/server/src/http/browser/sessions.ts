import { timingSafeEqual } from 'node:crypto'
import { RequestError } from '@gatehouse-access/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { atOnce, type LookUp, ShortMemory } from '../../flow/short-memory.ts'
import { findMembership, type Membership } from '../../services/accounts/admission.ts'
import { makeMark, markName, readMark } from '../../services/accounts/known-browsers.ts'
import {
  endSession,
  findSession,
  lifetime,
  type Session,
  type Visitor,
} from '../../services/accounts/sessions.ts'
import type { Context } from '../../services/objects/context.ts'
import { chooseLanguage } from '../../texts/language.ts'
import { digestFor } from '../../vault/contexts.ts'
import { digest } from '../../vault/vault.ts'
import { type CookieJar, openCookieJar } from './cookies.ts'

type Headed = Pick<FastifyRequest, 'headers'>

const year = 365 * 24 * 3600

/** Resolves session cookies to users. Results are cached for at most a second, like access tokens. */
export class BrowserSessions {
  readonly cookies: CookieJar
  #context: Context
  #sessions: ShortMemory<Session>
  #roles: ShortMemory<Membership>

  constructor(context: Context) {
    this.#context = context
    this.cookies = openCookieJar(context.config.public_url)
    this.#sessions = new ShortMemory(context.revocations, context.timers)
    this.#roles = new ShortMemory(context.revocations, context.timers)
  }

  async find(request: Headed, lookUp: LookUp = atOnce): Promise<Session | undefined> {
    const token = this.cookies.read(request, 'session')
    const session =
      token && (await this.#sessions.find(token, () => lookUp(() => findSession(this.#context, token))))
    return session && session.expires_at > this.#context.clock.now() ? session : undefined
  }

  /** Returns the hash under which the database stores the session of the request. */
  tokenHash(request: Headed): Buffer | undefined {
    const token = this.cookies.read(request, 'session')
    return token === undefined ? undefined : digest(token)
  }

  /** Returns the user's membership in an organization that is not deleted. */
  roleIn(organization_id: string, user_id: string): Promise<Membership | undefined> {
    return this.#roles.find(`${organization_id} ${user_id}`, () =>
      findMembership(this.#context, organization_id, user_id),
    )
  }

  /** Returns the token that scripts of this origin send to prove where they come from. */
  csrfToken(request: Headed): string {
    return this.#csrfTokens(request)[0]?.toString('base64url') ?? ''
  }

  requireCsrf(request: Headed): void {
    const given = Buffer.from(String(request.headers['x-csrf-token'] ?? ''), 'base64url')
    const is_right = this.#csrfTokens(request).some(
      token => token.length === given.length && timingSafeEqual(token, given),
    )
    if (!is_right)
      throw new RequestError(
        'permission_denied',
        'requests with a session cookie need the X-CSRF-Token that GET /account/session returns',
        { args: { reason: 'csrf' } },
      )
  }

  #csrfTokens(request: Headed): Buffer[] {
    const token = this.cookies.read(request, 'session')
    return token ? this.#context.vault.digests(token, digestFor.csrf_token) : []
  }

  /** Sets the session cookie, and marks the browser as known for the user's email address. */
  async begin(request: FastifyRequest, reply: FastifyReply, token: string): Promise<void> {
    this.cookies.set(reply, 'session', token, lifetime)
    const session = await findSession(this.#context, token)
    if (session) this.mark(reply, session.email, this.visitor(request, session.email).known)
  }

  mark(reply: FastifyReply, email: string, known?: string): void {
    this.cookies.set(reply, markName(this.#context, email), makeMark(this.#context, email, known), year)
  }

  /** Describes the origin of an attempt to sign in with this email address. */
  visitor(request: FastifyRequest, email: string): Visitor {
    const mark = this.cookies.read(request, markName(this.#context, email))
    return { ...visitorOf(request), known: readMark(this.#context, email, mark) }
  }

  async end(reply: FastifyReply, session: Session | undefined): Promise<void> {
    if (session) await endSession(this.#context, session.user_id, session.id).catch(() => undefined)
    this.cookies.clear(reply, 'session')
  }
}

export function visitorOf(request: FastifyRequest): Visitor {
  const { 'user-agent': user_agent, 'accept-language': languages } = request.headers
  return { ip_address: request.ip, user_agent, language: languages ? chooseLanguage(languages) : undefined }
}
