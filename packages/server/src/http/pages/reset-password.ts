import { inConstantTime } from '../../services/accounts/constant-time.ts'
import { askForReset, resetPassword } from '../../services/accounts/password-reset.ts'
import { findPasswordFault } from '../../services/accounts/passwords.ts'
import { html } from '../../texts/html.ts'
import { go, show } from './answer.ts'
import { field, notice, type Page } from './layout.ts'
import { aboutCode, sendAgain } from './parts.ts'
import { isEmail } from './sign-up.ts'
import type { Visit } from './visit.ts'

export function showReset(visit: Visit): void {
  show(visit, askPage(visit, undefined))
}

function askPage({ voice, form, form_token }: Visit, bad: string | undefined): Page {
  return {
    title: voice.say('reset_password'),
    body: html`<h1>${voice.say('reset_password')}</h1>
${notice(bad)}<p>${voice.say('reset_about')}</p>
<form method="post" action="/reset-password"><input type="hidden" name="form_token" value="${form_token}">
${field({ name: 'email', label: voice.say('email'), type: 'email', autocomplete: 'username', value: form.email ?? '', focus: true })}
<div class="buttons"><button>${voice.say('continue')}</button></div>
</form>
<ul class="links"><li><a href="/sign-in">${voice.say('sign_in')}</a></li></ul>`,
  }
}

export async function takeReset(visit: Visit): Promise<void> {
  const email = (visit.form.email ?? '').trim()
  if (!isEmail(email)) return show(visit, askPage(visit, visit.voice.say('email_invalid')), { status: 400 })
  await inConstantTime(askForReset(visit, email))
  show(visit, codePage(visit, email, undefined))
}

function codePage(visit: Visit, email: string, bad: string | undefined): Page {
  const { voice, form_token } = visit
  return {
    title: voice.say('reset_password'),
    body: html`<h1>${voice.say('reset_password')}</h1>
${notice(bad)}
${aboutCode(visit, email)}
<form method="post" action="/reset-password/code">
<input type="hidden" name="form_token" value="${form_token}"><input type="hidden" name="email" value="${email}">
${field({ name: 'code', label: voice.say('code'), autocomplete: 'one-time-code', focus: true })}
${field({ name: 'password', label: voice.say('new_password'), type: 'password', autocomplete: 'new-password', hint: voice.say('password_hint') })}
<div class="buttons"><button>${voice.say('reset_password')}</button></div>
</form>
${sendAgain(visit, '/reset-password', email)}
<ul class="links"><li><a href="/reset-password">${voice.say('other_email')}</a></li>
<li><a href="/sign-in">${voice.say('sign_in')}</a></li></ul>`,
  }
}

/** Checks the password before the code, so that a weak password does not consume the code. */
export async function takeResetCode(visit: Visit): Promise<void> {
  const { context, voice, form } = visit
  const { email = '', code = '', password = '' } = form
  const fault = await findPasswordFault(context, password, [email])
  if (fault) return show(visit, codePage(visit, email, voice.say(fault)), { status: 400 })
  if (!(await resetPassword(visit, email, code, password)))
    return show(visit, codePage(visit, email, voice.say('code_wrong')), { status: 400 })
  visit.sessions.mark(visit.reply, email)
  go(visit, '/sign-in?done=password')
}
