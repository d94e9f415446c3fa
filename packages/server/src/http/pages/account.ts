import { foundOrganization } from '../../demo/test-organization.ts'
import type { Session } from '../../services/accounts/sessions.ts'
import {
  answerInvitation,
  findOwnInvitation,
  listOwnInvitations,
} from '../../services/organizations/invitations.ts'
import { listLivingOrganizations } from '../../services/organizations/user-organizations.ts'
import { onOneLine } from '../../texts/fill-gaps.ts'
import { html } from '../../texts/html.ts'
import { userCaller } from '../browser/user-caller.ts'
import { pathOf } from '../kit/path-and-query.ts'
import { go, ownPath, show } from './answer.ts'
import { field } from './layout.ts'
import { PageError } from './page-error.ts'
import type { Visit } from './visit.ts'

/** Shows the signed-in user, their organizations and their invitations. */
export async function showAccount(visit: Visit): Promise<void> {
  const { context, session, voice, form_token } = visit
  if (!session) return go(visit, '/sign-in?return_to=%2Faccount')
  const organizations = await listLivingOrganizations(context, session.user_id)
  const invitations = await listOwnInvitations(context, session)
  show(visit, {
    title: voice.say('your_account'),
    body: html`<h1>${voice.say('your_account')}</h1>
<p class="soft">${voice.say('signed_in_as', { email: session.email })}</p>
${invitations.length > 0 && html`<h2>${voice.say('your_invitations')}</h2>`}
${invitations.map(
  ({ id, organization_name, role }) => html`<form method="post" action="/invitations/${id}">
<input type="hidden" name="form_token" value="${form_token}">
<p>${voice.say('invited_to', { organization: organization_name, role: voice.say(`role_${role}`) })}</p>
<div class="buttons"><button name="answer" value="accept">${voice.say('accept')}</button>
<button class="second" name="answer" value="decline">${voice.say('decline')}</button></div></form>`,
)}
<ul class="links"><li><a href="/security">${voice.say('security')}</a></li></ul>
<h2>${voice.say('your_organizations')}</h2>
${organizations.length === 0 && html`<p>${voice.say('no_organization')}</p>`}
${organizations.length > 0 && html`<ul>${organizations.map(({ id, name, role }) => html`<li><a href="/o/${id}">${name}</a> <span class="soft">· ${voice.say(`role_${role}`)}</span></li>`)}</ul>`}
${organizationForm(visit, '/account', 'second')}
<form method="post" action="/sign-out"><input type="hidden" name="form_token" value="${form_token}">
<div class="buttons"><button class="second">${voice.say('sign_out')}</button></div></form>`,
  })
}

export function organizationForm({ voice, form_token }: Visit, return_to: string, kind?: 'second') {
  return html`<h2>${voice.say('create_organization')}</h2>
<form method="post" action="/organizations"><input type="hidden" name="form_token" value="${form_token}">
<input type="hidden" name="return_to" value="${return_to}">
${field({ name: 'name', label: voice.say('organization_name'), autocomplete: 'organization' })}
<button${kind && html` class="${kind}"`}>${voice.say('create_organization')}</button></form>`
}

export async function takeOrganization(visit: Visit): Promise<void> {
  const session = requireSession(visit)
  const name = onOneLine(visit.form.name ?? '').slice(0, 255)
  if (name) {
    const callerIn = (id: string) => userCaller(visit.request, session, id)
    await foundOrganization(visit.context, callerIn, session.user_id, name)
  }
  go(visit, ownPath(visit.form.return_to))
}

export async function takeInvitation(visit: Visit): Promise<void> {
  const { context, request, form } = visit
  const session = requireSession(visit)
  const { id = '' } = pathOf(request)
  const { organization_id } = await findOwnInvitation(context, session, id)
  const caller = userCaller(request, session, organization_id)
  await context.db.transaction(db =>
    answerInvitation({ context, db, caller, now: context.clock.now() }, id, form.answer === 'accept'),
  )
  go(visit, '/account')
}

function requireSession({ session }: Visit): Session {
  if (!session) throw new PageError('error_form_expired', 401)
  return session
}
