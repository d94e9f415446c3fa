import { type Page, renderPage } from './layout.ts'
import type { Visit } from './visit.ts'

interface ShowOptions {
  readonly status?: number
  /** Where a form of the page can redirect to, in addition to this origin. */
  readonly leads_to?: string
}

type Shown = Pick<Visit, 'reply' | 'voice'> & Partial<Pick<Visit, 'context'>>

export function show(visit: Shown, page: Page, options: ShowOptions = {}): void {
  const is_recovered = visit.context?.recovery.is_on === true
  visit.reply
    .status(options.status ?? 200)
    .type('text/html; charset=utf-8')
    .header('content-language', visit.voice.language)
    .header('content-security-policy', contentPolicy(options.leads_to))
    .send(renderPage(visit.voice, { ...page, ...(is_recovered && { banner: visit.voice.say('recovered') }) }))
}

/** Allows only this origin, and no framing. Browsers also apply form-action to redirects after a form. */
export function contentPolicy(leads_to?: string): string {
  const target = leads_to ? ` ${formTarget(leads_to)}` : ''
  return `default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'${target}; base-uri 'none'; frame-ancestors 'none'`
}

function formTarget(uri: string): string {
  const { protocol, origin } = new URL(uri)
  return /^https?:$/.test(protocol) ? origin : protocol
}

export function go({ reply }: Pick<Visit, 'reply'>, path: string): void {
  reply.redirect(path, 303)
}

/** Prevents open redirects: returns the path if it is a page of this service or the console, else `/`. */
export function ownPath(given: string | undefined): string {
  return given &&
    /^\/(authorize\/[\w-]+|oauth2\/auth|account|device|security(\/[\w-]+)?|welcome|o\/\w+(\/[\w-]+)*)?(\?[\w=&%.:*+-]*)?$/.test(
      given,
    )
    ? given
    : '/'
}
