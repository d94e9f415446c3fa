import { askForEmail, confirmEmail } from '../../../services/accounts/change-email.ts'
import { inConstantTime } from '../../../services/accounts/constant-time.ts'
import type { Session } from '../../../services/accounts/sessions.ts'
import { html } from '../../../texts/html.ts'
import { go, show } from '../answer.ts'
import { field, notice, type Page } from '../layout.ts'
import { aboutCode, sendAgain } from '../parts.ts'
import { isEmail } from '../sign-up.ts'
import type { Visit } from '../visit.ts'
import { findRecentSession, footLine, securityForm } from './parts.ts'

export function showEmail(visit: Visit): void {
  const session = findRecentSession(visit)
  if (session) show(visit, askPage(visit, session, undefined))
}

function askPage(visit: Visit, session: Session, bad: string | undefined): Page {
  const { voice, form } = visit
  const fields = html`${field({ name: 'email', label: voice.say('new_email'), type: 'email', autocomplete: 'email', value: form.email ?? '', focus: true })}
<div class="buttons"><button>${voice.say('continue')}</button></div>`
  return {
    title: voice.say('change_email'),
    body: html`<h1>${voice.say('change_email')}</h1>
${notice(bad)}
<p>${voice.say('change_email_about', { email: session.email })}</p>
${securityForm(visit, '/security/email', fields)}
${footLine(visit, session)}`,
  }
}

export async function takeEmail(visit: Visit): Promise<void> {
  const session = findRecentSession(visit)
  if (!session) return
  const email = (visit.form.email ?? '').trim()
  if (!isEmail(email))
    return show(visit, askPage(visit, session, visit.voice.say('email_invalid')), { status: 400 })
  await inConstantTime(askForEmail(visit.context, visit.voice, session, email))
  show(visit, codePage(visit, session, email, undefined))
}

function codePage(visit: Visit, session: Session, email: string, bad: string | undefined): Page {
  const { voice } = visit
  const fields = html`<input type="hidden" name="email" value="${email}">
${field({ name: 'code', label: voice.say('code'), autocomplete: 'one-time-code', focus: true })}
<div class="buttons"><button>${voice.say('change_email')}</button></div>`
  return {
    title: voice.say('change_email'),
    body: html`<h1>${voice.say('change_email')}</h1>
${notice(bad)}
${aboutCode(visit, email)}
${securityForm(visit, '/security/email/code', fields)}
${sendAgain(visit, '/security/email', email)}
<ul class="links"><li><a href="/security/email">${voice.say('other_email')}</a></li></ul>
${footLine(visit, session)}`,
  }
}

export async function takeEmailCode(visit: Visit): Promise<void> {
  const { context, voice, form } = visit
  const session = findRecentSession(visit)
  if (!session) return
  const { email = '', code = '' } = form
  if (!(await confirmEmail(context, voice, session, email, code)))
    return show(visit, codePage(visit, session, email, voice.say('code_wrong')), { status: 400 })
  go(visit, '/security?done=email')
}
