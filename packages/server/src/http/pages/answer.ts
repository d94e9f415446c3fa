import { type Page, renderPage } from './layout.ts'
import type { Visit } from './visit.ts'

interface ShowOptions {
  readonly status?: number
  /** Where a form of the page may lead beside our own origin. */
  readonly leads_to?: string
}

export function show(visit: Pick<Visit, 'reply' | 'voice'>, page: Page, options: ShowOptions = {}): void {
  visit.reply
    .status(options.status ?? 200)
    .type('text/html; charset=utf-8')
    .header('content-language', visit.voice.language)
    .header('content-security-policy', contentPolicy(options.leads_to))
    .send(renderPage(visit.voice, page))
}

/** Nothing from elsewhere, no frame around it. Browsers apply form-action to the redirects after a form, too. */
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

/** Only pages of our own and of the console: whatever else was given leads to the console. */
export function ownPath(given: string | undefined): string {
  return given &&
    /^\/(authorize\/[\w-]+|oauth2\/auth|account|security(\/[\w-]+)?|welcome|o\/\w+(\/[\w-]+)*)?(\?[\w=&%.:*+-]*)?$/.test(
      given,
    )
    ? given
    : '/'
}
