import { findRefusal } from '../../services/accounts/admission.ts'
import { grantableScopes, isUseful } from '../../services/applications/authorizations.ts'
import type { UserOrganization } from '../../services/organizations/user-organizations.ts'
import type { Texts } from '../../texts/english.ts'
import { type Html, html } from '../../texts/html.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import type { Visit } from './visit.ts'

export function applicationHead({ application }: AuthorizationRequest, title: string): Html {
  return html`<div class="application">${application.has_logo && html`<img src="/applications/${application.id}/logo" alt="">`}<h1>${title}</h1></div>`
}

/** Shows the signed-in account and a button to switch accounts. */
export function accountLine({ voice, form_token }: Visit, { session, page }: AuthorizationRequest): Html {
  return html`<div class="account"><span>${voice.say('signed_in_as', { email: session.email })}</span>
<form method="post" action="/sign-out"><input type="hidden" name="form_token" value="${form_token}">
<input type="hidden" name="return_to" value="${page}"><button class="link">${voice.say('other_account')}</button></form></div>`
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
