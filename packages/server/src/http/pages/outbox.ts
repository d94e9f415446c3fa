import { isLoopback } from '../../network/loopback.ts'
import { type Html, html } from '../../texts/html.ts'
import { show } from './answer.ts'
import { PageError } from './page-error.ts'
import type { Visit } from './visit.ts'

/** Shows unsent emails where no mail server is configured. Available only from this machine. */
export function showOutbox(visit: Visit): void {
  const { mailer, config } = visit.context
  const { outbox } = mailer
  if (!outbox || !isAskedHere(visit)) throw new PageError('error_not_found', 404)
  const mails = outbox.map(
    ({ to, at, subject, text }) =>
      html`<h2>${subject}</h2><p class="soft">${to}<br><time datetime="${at}">${clockOf(at)}</time></p><pre tabindex="0">${linkOwn(text, config.public_url)}</pre>`,
  )
  show(visit, {
    title: 'Outbox',
    body: html`<h1>Outbox</h1><p class="soft">Emails that would be sent if GATEHOUSE_SMTP_URL were set, newest first.</p>
${mails.length > 0 ? mails : html`<p>No emails yet.</p>`}`,
  })
}

/** Whoever reads it sits at this machine, so its zone is theirs; the zone is named in case it is not. */
function clockOf(at: string): string {
  return new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'long' })
}

/** Prevents DNS rebinding: a page can point its own name at this machine, but cannot forge the Host. */
function isAskedHere({ request }: Visit): boolean {
  const url = `http://${request.headers.host ?? ''}`
  return URL.canParse(url) && isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, ''))
}

/** Turns only this service's own URLs into links. */
function linkOwn(text: string, own: string): (string | Html)[] {
  return text
    .split(/(https?:\/\/\S+)/)
    .map(part => (part.startsWith(`${own}/`) ? html`<a href="${part}">${part}</a>` : part))
}
