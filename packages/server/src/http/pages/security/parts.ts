import { isBelowAccount, isRecent } from '../../../services/accounts/admission.ts'
import type { Session } from '../../../services/accounts/sessions.ts'
import { type Html, html } from '../../../texts/html.ts'
import type { Voice } from '../../../texts/language.ts'
import { localeOf } from '../../../texts/locale.ts'
import { go } from '../answer.ts'
import { PageError } from '../page-error.ts'
import type { Visit } from '../visit.ts'

/** Returns the session if it is recent enough to change sign-in methods. Otherwise redirects to sign-in. */
export function findRecentSession(visit: Visit): Session | undefined {
  const { session, request, context } = visit
  if (session && isRecent(session, context.clock.now())) return session
  const path = request.url.split('?', 1)[0]?.split('/').slice(0, 3).join('/') ?? '/security'
  const again = session ? `again=${isBelowAccount(session) ? 'factor' : '1'}&` : ''
  go(visit, `/sign-in?${again}return_to=${encodeURIComponent(path)}`)
  return undefined
}

/** Like `findRecentSession`, but throws: a script cannot be redirected to a page. */
export function requireRecentSession({ session, context }: Visit): Session {
  if (session && isRecent(session, context.clock.now())) return session
  throw new PageError('sign_in_again', 403)
}

export function securityForm({ form_token }: Visit, action: string, body: Html): Html {
  return html`<form method="post" action="${action}">
<input type="hidden" name="form_token" value="${form_token}">
${body}</form>`
}

/** Stays hidden without `copy.js`, which the page names as its script. */
export function copyButton(voice: Voice, label: 'copy_key' | 'copy_codes', copies: string): Html {
  return html`<p><button type="button" class="second" id="copy" data-copies="${copies}" hidden>${voice.say(label)}</button></p>
<p class="soft" role="status" id="copied" data-text="${voice.say('copied')}"></p>`
}

/** The service does not know the zone of the reader, so it says which one it tells. */
export function timeOf({ language }: Voice, at: string): string {
  const options = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const
  return `${new Date(at).toLocaleString(localeOf(language), options)} UTC`
}

/** Shows a link back and a sign-out button. */
export function footLine(visit: Visit, session: Session, back: '/account' | '/security' = '/security'): Html {
  const { voice } = visit
  const text = voice.say(back === '/account' ? 'your_account' : 'security')
  return html`<ul class="links"><li><a href="${back}">${text}</a></li></ul>
<div class="account"><span>${voice.say('signed_in_as', { email: session.email })}</span>
${securityForm(visit, '/sign-out', html`<button class="link">${voice.say('sign_out')}</button>`)}</div>`
}
