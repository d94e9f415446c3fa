import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Engine } from '../../oauth/engine.ts'
import type { Session } from '../../services/accounts/sessions.ts'
import type { Context } from '../../services/objects/context.ts'
import { type Voice, voiceOf } from '../../texts/language.ts'
import { languageFor } from '../browser/chosen-language.ts'
import { formToken, isOwnForm } from '../browser/form-token.ts'
import type { BrowserSessions } from '../browser/sessions.ts'
import type { Limits } from '../kit/limits.ts'
import type { Turnstile } from '../turnstile/turnstile.ts'
import { PageError } from './page-error.ts'

/** State shared by all pages. */
export interface Site {
  readonly context: Context
  readonly sessions: BrowserSessions
  readonly engine: Engine
  readonly limits: Limits | undefined
  readonly turnstile: Turnstile
}

export interface Visit extends Site {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly voice: Voice
  readonly session: Session | undefined
  /** Fields of the submitted form. Empty for a GET. */
  readonly form: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** Every form of the page must carry this token. */
  readonly form_token: string
}

/** Throws if a form was not sent from a page of this service in the same browser. */
export async function openVisit(site: Site, request: FastifyRequest, reply: FastifyReply): Promise<Visit> {
  const { context, sessions } = site
  const form = readFields(request.body)
  if (request.method === 'POST' && !isOwnForm(context, sessions.cookies, request, form.form_token))
    throw new PageError('error_form_expired', 403)
  return {
    ...site,
    request,
    reply,
    voice: voiceOf(languageFor(request.headers)),
    session: await sessions.find(request),
    form,
    query: readFields(request.query),
    form_token: formToken(context, sessions.cookies, request, reply),
  }
}

function readFields(given: unknown): Record<string, string> {
  const entries = Object.entries(given ?? {})
  const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return Object.fromEntries(texts.map(([name, text]) => [name, text.toWellFormed().replaceAll('\0', '')]))
}
