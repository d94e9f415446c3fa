import { signIn } from '../../services/accounts/sign-in.ts'
import type { Texts } from '../../texts/english.ts'
import { type Html, html } from '../../texts/html.ts'
import { operatorOf } from '../../texts/operator.ts'
import { go, ownPath, show } from './answer.ts'
import { field, notice, type Page } from './layout.ts'
import { linkForm } from './sign-in-link.ts'
import type { Visit } from './visit.ts'

const done: { readonly [what: string]: keyof Texts } = {
  password: 'password_changed',
  deleted: 'account_deleted',
  link: 'link_opened',
}

export function showSignIn(visit: Visit): void {
  const { context, query, session, voice } = visit
  const again = query.again === 'factor' ? 'sign_in_with_factor' : 'sign_in_again'
  const key = done[query.done ?? '']
  // Strangers do not learn the address of the operator.
  const operator = operatorOf(session ? context.config : {}, voice)
  const message = query.again ? { wish: voice.say(again, { operator }) } : { good: key && voice.say(key) }
  const email = query.done === 'link' ? query.email : query.again ? session?.email : undefined
  show(visit, signInPage(visit, { ...message, ...(email && { email }) }))
}

interface SignInMessages {
  readonly wish?: string | undefined
  readonly good?: string | undefined
  readonly bad?: string | undefined
  readonly email?: string
  /** If set, the page offers to email a link to this address. */
  readonly link_to?: string
}

function signInPage(visit: Visit, { wish, good, bad, email, link_to }: SignInMessages): Page {
  const { voice, query, form, form_token } = visit
  const return_to = ownPath(form.return_to ?? query.return_to)
  const again = form.again ?? query.again
  return {
    title: voice.say('sign_in'),
    script: '/assets/passkey.js',
    body: html`<h1>${voice.say('sign_in')}</h1>
${notice(wish, 'warn')}${notice(bad)}${link_to && linkForm(visit, link_to)}${notice(good, 'good')}
<form method="post" action="/sign-in">
<input type="hidden" name="form_token" value="${form_token}"><input type="hidden" name="return_to" value="${return_to}">
${again && html`<input type="hidden" name="again" value="1">`}
${field({ name: 'email', label: voice.say('email'), type: 'email', autocomplete: 'username webauthn', value: email ?? '', focus: true })}
${field({ name: 'password', label: voice.say('password'), type: 'password', autocomplete: 'current-password' })}
<div class="buttons"><button>${voice.say('sign_in')}</button>
<button type="button" class="second" id="passkey" hidden data-form_token="${form_token}" data-return_to="${return_to}">${voice.say('use_passkey')}</button></div>
</form>
<p class="notice error" id="passkey-failed" role="alert" hidden>${voice.say('passkey_failed')}</p>
<ul class="links"><li><a href="/reset-password">${voice.say('forgot_password')}</a></li>
<li>${again ? backLink(visit, return_to) : html`<a href="/sign-up?return_to=${encodeURIComponent(return_to)}">${voice.say('create_account')}</a>`}</li></ul>`,
  }
}

/** Who is asked to sign in again has an account, and may think better of what needs it. */
function backLink({ voice }: Visit, return_to: string): Html {
  if (return_to.startsWith('/security')) return html`<a href="/security">${voice.say('security')}</a>`
  return html`<a href="${return_to}">${voice.say('to_console')}</a>`
}

export async function takeSignIn(visit: Visit): Promise<void> {
  const { context, form, request, reply, sessions, voice, session } = visit
  const { email = '', password = '' } = form
  const visitor = sessions.visitor(request, email.trim())
  const outcome = await signIn(context, email.trim(), password, visitor)
  if (outcome.is === 'open') {
    // Ends the browser's previous session, so that no user continues in a session planted by an attacker.
    await sessions.end(reply, session)
    await sessions.begin(request, reply, outcome.token)
    return go(visit, ownPath(form.return_to))
  }
  if (outcome.is === 'half') {
    sessions.cookies.set(reply, 'step', outcome.token, 600)
    return go(visit, `/sign-in/code?return_to=${encodeURIComponent(ownPath(form.return_to))}`)
  }
  if (outcome.is === 'refused')
    return show(visit, signInPage(visit, { bad: voice.say('wrong_credentials'), email }), { status: 401 })
  reply.header('retry-after', String(outcome.seconds))
  const bad = voice.say('too_many_attempts', { seconds: outcome.seconds })
  show(visit, signInPage(visit, { bad, email, link_to: email.trim() }), { status: 429 })
}

export async function takeSignOut(visit: Visit): Promise<void> {
  await visit.sessions.end(visit.reply, visit.session)
  go(visit, `/sign-in?return_to=${encodeURIComponent(ownPath(visit.form.return_to))}`)
}
