import { grantableScopes } from '../../services/applications/authorizations.ts'
import type { UserOrganization } from '../../services/organizations/user-organizations.ts'
import type { Texts } from '../../texts/english.ts'
import { type Html, html } from '../../texts/html.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { notice, type Page } from './layout.ts'
import { accountLine, applicationHead, findHindrance } from './parts.ts'
import type { Visit } from './visit.ts'

/** Describes the scopes in words. A viewer can grant only read access, and the page says so. */
export function consentPage(visit: Visit, asked: AuthorizationRequest, organization: UserOrganization): Page {
  const { voice, form_token } = visit
  const application = asked.application.name
  const title = asked.terminal
    ? voice.say('device_consent', { organization: organization.name })
    : voice.say('consent', { application })
  const granted = grantableScopes(asked.scopes, organization.role)
  const hindrance = findHindrance(visit, asked, organization)
  const may_allow = hindrance === undefined
  const leads_back = !may_allow && asked.redirect_uri
  return {
    title,
    body: html`${applicationHead(asked, title)}
${may_allow ? terms(visit, asked, organization.name, granted) : refusal(visit, hindrance)}
<form method="post" action="${asked.action}">
<input type="hidden" name="form_token" value="${form_token}">${asked.hidden}
<input type="hidden" name="organization_id" value="${organization.id}">
<div class="buttons">${may_allow && html`<button name="decision" value="allow">${voice.say('allow')}</button>`}
<button class="second" name="decision" value="deny">${leads_back ? voice.say('back_to', { application }) : voice.say('deny')}</button></div></form>
${asked.organizations.length > 1 && html`<ul class="links"><li><a href="${asked.page}">${voice.say('other_organization')}</a></li></ul>`}
${accountLine(visit, asked)}`,
  }
}

/** Links to the security page if a stronger sign-in would help. */
function refusal({ voice }: Visit, hindrance: keyof Texts): Html {
  const is_curable = hindrance !== 'viewer_may_not' && hindrance !== 'role_may_not'
  return html`${notice(voice.say(hindrance), 'warn')}
${is_curable && html`<ul class="links"><li><a href="/security">${voice.say('security')}</a></li></ul>`}`
}

function terms(
  { voice }: Visit,
  asked: AuthorizationRequest,
  organization: string,
  granted: readonly string[],
): Html {
  const application = asked.application.name
  const say = (scope: string) => voice.say(`scope_${scope.replace(':', '_')}` as keyof Texts)
  const refused = asked.scopes.filter(scope => !granted.includes(scope))
  const { terminal } = asked
  const about = terminal
    ? voice.say('device_consent_about', { application, organization, address: terminal.address })
    : voice.say('consent_about', { application, organization })
  return html`<p>${about}</p>
<ul class="scopes">${granted.map(scope => html`<li>${say(scope)}</li>`)}</ul>
${refused.map(scope => html`<p class="soft">${voice.say('not_granted', { scope: say(scope) })}</p>`)}
<p class="hint">${voice.say('consent_end')}${asked.redirect_uri && ` ${voice.say('consent_leads_to', { address: hostOf(asked.redirect_uri) })}`}</p>
${terminal && notice(voice.say('device_check', { code: unbroken(terminal.code) }), 'warn')}`
}

/** Who compares it with the terminal sees it on one line. */
function unbroken(code: string): string {
  return code.replace('-', '\u2011')
}

function hostOf(uri: string): string {
  const { protocol, host } = new URL(uri)
  return /^https?:$/.test(protocol) ? host : protocol.slice(0, -1)
}
