import type { Session } from '../../../services/accounts/sessions.ts'
import { deleteUser, findTies } from '../../../services/organizations/delete-user.ts'
import { html } from '../../../texts/html.ts'
import { userCaller } from '../../browser/user-caller.ts'
import { go, show } from '../answer.ts'
import { field, notice, type Page } from '../layout.ts'
import type { Visit } from '../visit.ts'
import { findRecentSession, footLine, securityForm } from './parts.ts'

export async function showDeletion(visit: Visit): Promise<void> {
  const session = findRecentSession(visit)
  if (session) show(visit, await deletionPage(visit, session, undefined))
}

async function deletionPage(visit: Visit, session: Session, bad: string | undefined): Promise<Page> {
  const { context, voice } = visit
  const { organizations, applications } = await findTies(context.db, session.user_id)
  const is_free = organizations.length + applications.length === 0
  const fields = html`${field({ name: 'email', label: voice.say('delete_confirm'), type: 'email', autocomplete: 'off' })}
<div class="buttons"><button class="danger">${voice.say('delete_account')}</button></div>`
  return {
    title: voice.say('delete_account'),
    body: html`<h1>${voice.say('delete_account')}</h1>
${notice(bad)}
<p>${voice.say('delete_about')}</p>
${
  organizations.length > 0 &&
  html`${notice(voice.say('delete_last_owner'), 'warn')}
<ul>${organizations.map(({ id, name }) => html`<li><a href="/o/${id}">${name}</a></li>`)}</ul>`
}
${
  applications.length > 0 &&
  html`${notice(voice.say('delete_applications'), 'warn')}
<ul>${applications.map(name => html`<li>${name}</li>`)}</ul>`
}
${is_free && securityForm(visit, '/security/delete', fields)}
${footLine(visit, session)}`,
  }
}

export async function takeDeletion(visit: Visit): Promise<void> {
  const { context, voice, form, request, reply, sessions } = visit
  const session = findRecentSession(visit)
  if (!session) return
  if ((form.email ?? '').trim().toLowerCase() !== session.email.toLowerCase())
    return show(visit, await deletionPage(visit, session, voice.say('delete_mismatch')), { status: 400 })
  await deleteUser(context, voice, session, id => userCaller(request, session, id))
  sessions.cookies.clear(reply, 'session')
  go(visit, '/sign-in?done=deleted')
}
