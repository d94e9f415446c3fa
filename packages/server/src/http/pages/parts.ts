import { findRefusal } from '../../services/accounts/admission.ts'
import { grantableScopes, isUseful } from '../../services/applications/authorizations.ts'
import type { UserOrganization } from '../../services/organizations/user-organizations.ts'
import type { Texts } from '../../texts/english.ts'
import { type Html, html } from '../../texts/html.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { notice } from './layout.ts'
import type { Visit } from './visit.ts'

export function applicationHead({ application }: AuthorizationRequest, title: string): Html {
  return html`<div class="application">${application.has_logo && html`<img src="/applications/${application.id}/logo" alt="">`}<h1>${title}</h1></div>`
}

/** Shows the signed-in account and a button to switch accounts. */
export function accountLine(
  { voice, form_token }: Visit,
  { session, page }: Pick<AuthorizationRequest, 'session' | 'page'>,
): Html {
  return html`<div class="account"><span>${voice.say('signed_in_as', { email: session.email })}</span>
<form method="post" action="/sign-out"><input type="hidden" name="form_token" value="${form_token}">
<input type="hidden" name="return_to" value="${page}"><button class="link">${voice.say('other_account')}</button></form></div>`
}

/** Says where a code or link is: with whoever has the address, or where no mail is sent, in the outbox. */
export function whereIsMail({ context, voice }: Visit, what: 'code' | 'link', email: string): Html {
  if (!context.mailer.outbox) return html`${voice.say(`${what}_sent`, { email })}`
  return html`${voice.say(`${what}_in_outbox`, { email })} <a href="/outbox" target="_blank">${voice.say('open_outbox')}</a>`
}

/** Says where the code of a form is, and after another one was asked for, that it was sent. */
export function aboutCode(visit: Visit, email: string): Html {
  const { context, voice, form } = visit
  if (!form.again) return html`<p>${whereIsMail(visit, 'code', email)}</p>`
  const again = html`${voice.say('code_sent_again', { email })}`
  return html`${notice(context.mailer.outbox ? whereIsMail(visit, 'code', email) : again, 'good')}`
}

/** A button that sends another code to the address, with what else the form needs. */
export function sendAgain({ voice, form_token }: Visit, action: string, email: string, more?: Html): Html {
  return html`<form method="post" action="${action}"><input type="hidden" name="form_token" value="${form_token}">
<input type="hidden" name="email" value="${email}"><input type="hidden" name="again" value="1">${more}
<div class="buttons"><button class="second">${voice.say('send_again')}</button></div></form>`
}

/** Returns why the user cannot grant the request in this organization, as a text key, or undefined. */
export function findHindrance(
  { context }: Visit,
  { scopes, session }: AuthorizationRequest,
  organization: UserOrganization,
): keyof Texts | undefined {
  const refusal = findRefusal(context, session, organization)
  if (refusal) return refusal === 'sign_in_again' ? 'signed_out_here' : refusal
  if (isUseful(grantableScopes(scopes, organization.role))) return undefined
  return organization.role === 'viewer' ? 'viewer_may_not' : 'role_may_not'
}
