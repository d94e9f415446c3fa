import { RequestError } from '@gatehouse-access/api'
import { changePassword } from '../../../services/accounts/password-reset.ts'
import type { Session } from '../../../services/accounts/sessions.ts'
import { html } from '../../../texts/html.ts'
import type { Voice } from '../../../texts/language.ts'
import { visitorOf } from '../../browser/sessions.ts'
import { go, show } from '../answer.ts'
import { field, notice, type Page } from '../layout.ts'
import type { Visit } from '../visit.ts'
import { footLine, securityForm } from './parts.ts'

/** The form asks for the current password, so the session need not be recent. */
export function showPassword(visit: Visit): void {
  const { session } = visit
  if (session) show(visit, passwordPage(visit, session, undefined))
  else go(visit, '/sign-in?return_to=%2Fsecurity%2Fpassword')
}

function passwordPage(visit: Visit, session: Session, bad: string | undefined): Page {
  const { voice } = visit
  const fields = html`${field({ name: 'current_password', label: voice.say('current_password'), type: 'password', autocomplete: 'current-password', focus: true })}
${field({ name: 'password', label: voice.say('new_password'), type: 'password', autocomplete: 'new-password', hint: voice.say('password_hint') })}
<div class="buttons"><button>${voice.say('change_password')}</button></div>`
  return {
    title: voice.say('change_password'),
    body: html`<h1>${voice.say('change_password')}</h1>
${notice(bad)}
${securityForm(visit, '/security/password', fields)}
<ul class="links"><li><a href="/reset-password">${voice.say('forgot_password')}</a></li></ul>
${footLine(visit, session)}`,
  }
}

export async function takePassword(visit: Visit): Promise<void> {
  const { context, voice, session, form, request } = visit
  if (!session) return go(visit, '/sign-in?return_to=%2Fsecurity%2Fpassword')
  const { current_password = '', password = '' } = form
  try {
    await changePassword(context, voice, session, current_password, password, visitorOf(request))
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    const { status, headers } = error
    visit.reply.headers(headers)
    return show(visit, passwordPage(visit, session, explain(voice, error)), { status })
  }
  go(visit, '/security?done=password')
}

function explain(voice: Voice, { status, headers, message }: RequestError): string {
  if (status === 429) return voice.say('too_many_attempts', { seconds: Number(headers['retry-after']) })
  return status === 403 ? voice.say('wrong_password') : message
}
