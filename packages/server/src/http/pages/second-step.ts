import { finishSignIn } from '../../services/accounts/sign-in.ts'
import { html } from '../../texts/html.ts'
import { visitorOf } from '../browser/sessions.ts'
import { go, ownPath, show } from './answer.ts'
import { field, notice, type Page } from './layout.ts'
import type { Visit } from './visit.ts'

/** Asks for an authenticator or recovery code after the password. A separate cookie holds this step. */
export function showSecondStep(visit: Visit): void {
  if (visit.sessions.cookies.read(visit.request, 'step')) show(visit, stepPage(visit, undefined))
  else go(visit, '/sign-in')
}

function stepPage({ voice, form, query, form_token }: Visit, bad: string | undefined): Page {
  const return_to = ownPath(form.return_to ?? query.return_to)
  return {
    title: voice.say('second_step'),
    body: html`<h1>${voice.say('second_step')}</h1>
${notice(bad)}
<form method="post" action="/sign-in/code">
<input type="hidden" name="form_token" value="${form_token}"><input type="hidden" name="return_to" value="${return_to}">
${field({ name: 'code', label: voice.say('code'), autocomplete: 'one-time-code', hint: voice.say('second_step_about'), focus: true })}
<div class="buttons"><button>${voice.say('sign_in')}</button></div>
</form>
<ul class="links"><li><a href="/sign-in">${voice.say('other_account')}</a></li></ul>`,
  }
}

export async function takeSecondStep(visit: Visit): Promise<void> {
  const { context, form, request, reply, sessions, session, voice } = visit
  const step = sessions.cookies.read(request, 'step')
  if (!step) return go(visit, '/sign-in')
  const outcome = await finishSignIn(context, step, form.code ?? '', visitorOf(request))
  if (outcome.is === 'open') {
    await sessions.end(reply, session)
    sessions.cookies.clear(reply, 'step')
    await sessions.begin(request, reply, outcome.token)
    return go(visit, ownPath(form.return_to))
  }
  const seconds = outcome.is === 'delayed' ? outcome.seconds : undefined
  if (seconds) reply.header('retry-after', String(seconds))
  const bad = seconds ? voice.say('too_many_attempts', { seconds }) : voice.say('code_wrong')
  show(visit, stepPage(visit, bad), { status: seconds ? 429 : 401 })
}
