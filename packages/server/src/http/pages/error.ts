import { RequestError } from '@gatehouse-access/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isUnavailable } from '../../database/away.ts'
import { MailError } from '../../mail/mailer.ts'
import type { Context } from '../../services/objects/context.ts'
import type { Texts } from '../../texts/english.ts'
import { html } from '../../texts/html.ts'
import { type Voice, voiceOf } from '../../texts/language.ts'
import { operatorOf } from '../../texts/operator.ts'
import { languageFor } from '../browser/chosen-language.ts'
import { show } from './answer.ts'
import type { Page } from './layout.ts'
import { PageError } from './page-error.ts'

interface ErrorTold {
  readonly details?: string | undefined
  readonly may_work?: boolean
  /** Whom to contact about errors that only the operator can mend. */
  readonly operator?: string
}

/** Every error leads on: to the same page if it may work now, to signing in, or to the console. */
export function errorPage(
  voice: Voice,
  key: keyof Texts,
  { details, may_work = false, operator = '' }: ErrorTold = {},
): Page {
  return {
    title: voice.say('something_wrong'),
    body: html`<h1>${voice.say('something_wrong')}</h1>
<p>${voice.say(key, { operator })}</p>
${details && html`<p class="hint">${voice.say('error_details', { details })}</p>`}
<ul class="links">${may_work && html`<li><a href="">${voice.say('try_again')}</a></li>`}
${isOver.has(key) && html`<li><a href="/sign-in">${voice.say('sign_in')}</a></li>`}
<li><a href="/">${voice.say('to_console')}</a></li></ul>`,
  }
}

const isOver: ReadonlySet<keyof Texts> = new Set([
  'error_session_not_found',
  'error_form_expired',
  'error_mail',
])

/** Answers errors of pages with a page. */
export function answerPageError(
  { config }: Pick<Context, 'config'>,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const voice = voiceOf(languageFor(request.headers))
  const { key, status, details } = explain(error)
  if (error instanceof RequestError) reply.headers(error.headers)
  if (status >= 500 && key !== 'error_busy' && key !== 'recovered')
    request.log.error({ err: error, request_id: request.id }, 'a page failed')
  if (isUnavailable(error)) reply.header('retry-after', '1')
  const may_work = request.method === 'GET' && status >= 500
  const told = { details: details ?? `request ${request.id}`, may_work, operator: operatorOf(config, voice) }
  show({ reply, voice }, errorPage(voice, key, told), { status })
}

function explain(error: unknown): { key: keyof Texts; status: number; details?: string | undefined } {
  if (error instanceof PageError) return error
  if (isUnavailable(error)) return { key: 'error_server_error', status: 503 }
  if (error instanceof MailError) return { key: 'error_mail', status: 503 }
  if (error instanceof RequestError && error.args.reason === 'recovered')
    return { key: 'recovered', status: 503 }
  if (error instanceof RequestError && error.status === 503) return { key: 'error_busy', status: 503 }
  if (error instanceof RequestError && error.status < 500)
    return { key: 'something_wrong', status: error.status, details: error.message }
  const name = error instanceof Error ? error.name : ''
  const statusCode = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : undefined
  if (name === 'SessionNotFound') return { key: 'error_session_not_found', status: 400 }
  return statusCode && statusCode < 500
    ? { key: 'error_form_expired', status: statusCode }
    : { key: 'error_server_error', status: 500 }
}
