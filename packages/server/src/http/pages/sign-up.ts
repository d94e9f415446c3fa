import { email as emailType } from '@gatehouse-access/api'
import { inConstantTime } from '../../services/accounts/constant-time.ts'
import { createFirstOwner, isFirstLink } from '../../services/accounts/first-owner.ts'
import { findPasswordFault } from '../../services/accounts/passwords.ts'
import { openSession } from '../../services/accounts/sessions.ts'
import { askAgain, askForAccount, confirmAccount } from '../../services/accounts/sign-up.ts'
import type { Context } from '../../services/objects/context.ts'
import type { Texts } from '../../texts/english.ts'
import { onOneLine } from '../../texts/fill-gaps.ts'
import { html } from '../../texts/html.ts'
import { visitorOf } from '../browser/sessions.ts'
import { go, ownPath, show } from './answer.ts'
import { field, notice, type Page } from './layout.ts'
import { aboutCode, sendAgain } from './parts.ts'
import type { Visit } from './visit.ts'

export async function showSignUp(visit: Visit): Promise<void> {
  const { first } = visit.query
  if (first === undefined || (await isFirstLink(visit.context, first)))
    show(visit, signUpPage(visit, undefined))
  else show(visit, signUpPage(visit, 'link_wrong'), { status: 400 })
}

function signUpPage(
  { context, voice, form, query, form_token }: Visit,
  fault: keyof Texts | undefined,
): Page {
  const return_to = ownPath(form.return_to ?? query.return_to)
  const first = form.first ?? query.first
  return {
    title: voice.say('create_account'),
    body: html`<h1>${voice.say('create_account')}</h1>
${notice(fault && voice.say(fault))}
${context.config.signup === 'invited' && first === undefined && html`<p class="soft">${voice.say('by_invitation')}</p>`}
<form method="post" action="/sign-up">
<input type="hidden" name="form_token" value="${form_token}"><input type="hidden" name="return_to" value="${return_to}">
${first !== undefined && html`<input type="hidden" name="first" value="${first}">`}
${field({ name: 'name', label: voice.say('name'), autocomplete: 'name', value: form.name ?? '', focus: true })}
${field({ name: 'email', label: voice.say('email'), type: 'email', autocomplete: 'username', value: form.email ?? '' })}
${field({ name: 'password', label: voice.say('password'), type: 'password', autocomplete: 'new-password', hint: voice.say('password_hint') })}
<div class="buttons"><button>${voice.say('continue')}</button></div>
</form>
<ul class="links"><li><a href="/sign-in?return_to=${encodeURIComponent(return_to)}">${voice.say('have_account')}</a></li></ul>`,
  }
}

export async function takeSignUp(visit: Visit): Promise<void> {
  const { context, form } = visit
  const newcomer = {
    name: onOneLine(form.name ?? '').slice(0, 255),
    email: (form.email ?? '').trim(),
    password: form.password ?? '',
  }
  const fault = await findFault(context, newcomer)
  if (fault) return show(visit, signUpPage(visit, fault), { status: 400 })
  if (form.first !== undefined) return takeFirst(visit, form.first, newcomer)
  await inConstantTime(askForAccount(visit, newcomer))
  show(visit, codePage(visit, newcomer.email, undefined))
}

type Newcomer = Parameters<typeof createFirstOwner>[2]

/** The operator's link proves more than a code in a mail would, so none is asked for. */
async function takeFirst(visit: Visit, first: string, newcomer: Newcomer): Promise<void> {
  const user_id = await createFirstOwner(visit.context, first, newcomer)
  if (user_id) await enter(visit, user_id)
  else show(visit, signUpPage(visit, 'link_wrong'), { status: 400 })
}

async function findFault(
  context: Context,
  { name, email, password }: Record<'name' | 'email' | 'password', string>,
) {
  if (!isEmail(email)) return 'email_invalid'
  return name === '' ? 'name_missing' : findPasswordFault(context, password, [name, email])
}

export function isEmail(text: string): boolean {
  try {
    return emailType.parse(text, 'email') !== ''
  } catch {
    return false
  }
}

function codePage(visit: Visit, email: string, bad: string | undefined): Page {
  const { voice, form, form_token } = visit
  const back = html`<input type="hidden" name="return_to" value="${ownPath(form.return_to)}">`
  return {
    title: voice.say('create_account'),
    body: html`<h1>${voice.say('create_account')}</h1>
${notice(bad)}
${aboutCode(visit, email)}
<form method="post" action="/sign-up/code">
<input type="hidden" name="form_token" value="${form_token}"><input type="hidden" name="email" value="${email}">
${back}
${field({ name: 'code', label: voice.say('code'), autocomplete: 'one-time-code', focus: true })}
<div class="buttons"><button>${voice.say('continue')}</button></div>
</form>
${sendAgain(visit, '/sign-up/again', email, back)}
<ul class="links"><li><a href="/sign-up?return_to=${encodeURIComponent(ownPath(form.return_to))}">${voice.say('other_email')}</a></li></ul>`,
  }
}

export async function takeSignUpAgain(visit: Visit): Promise<void> {
  const { email = '' } = visit.form
  if (!isEmail(email)) return show(visit, signUpPage(visit, 'email_invalid'), { status: 400 })
  await inConstantTime(askAgain(visit, email))
  show(visit, codePage(visit, email, undefined))
}

export async function takeSignUpCode(visit: Visit): Promise<void> {
  const { email = '', code = '' } = visit.form
  const user_id = await confirmAccount(visit, email, code)
  if (!user_id) return show(visit, codePage(visit, email, visit.voice.say('code_wrong')), { status: 400 })
  await enter(visit, user_id)
}

async function enter(visit: Visit, user_id: string): Promise<void> {
  const { context, form, request, reply, sessions, session } = visit
  await sessions.end(reply, session)
  const token = await openSession(context, user_id, 'password', visitorOf(request))
  if (token) await sessions.begin(request, reply, token)
  go(visit, ownPath(form.return_to))
}
