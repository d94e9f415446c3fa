import { html } from '../../texts/html.ts'
import { organizationForm } from './account.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import type { Page } from './layout.ts'
import { accountLine, applicationHead, findHindrance } from './parts.ts'
import type { Visit } from './visit.ts'

/** Leads on to an organization of one's own, to invitations, or back to the application. */
function noOrganizationPage(visit: Visit, asked: AuthorizationRequest): Page {
  const { voice, form_token } = visit
  const title = voice.say('needs_organization')
  const gaps = { application: asked.application.name, email: asked.session.email }
  return {
    title,
    body: html`${applicationHead(asked, title)}
<p>${voice.say('needs_organization_about', gaps)}</p>
${organizationForm(visit, asked.page)}
<form method="post" action="${asked.action}"><input type="hidden" name="form_token" value="${form_token}">${asked.hidden}
<div class="buttons"><button class="second" name="decision" value="deny">${voice.say('deny')}</button></div></form>
<ul class="links"><li><a href="/account">${voice.say('your_invitations')}</a></li></ul>
${accountLine(visit, asked)}`,
  }
}

/** Organizations in which the user cannot grant the request are shown with the reason, but disabled. */
export function chooseOrganizationPage(visit: Visit, asked: AuthorizationRequest): Page {
  if (asked.organizations.length === 0) return noOrganizationPage(visit, asked)
  const { voice, form_token } = visit
  const title = voice.say('choose_organization')
  const choices = asked.organizations.map(organization => {
    const { id, name, role } = organization
    const hindrance = findHindrance(visit, asked, organization)
    const can_give = hindrance === undefined
    return html`<label class="choice"><input type="radio" name="organization_id" value="${id}" required ${!can_give && html`disabled`}>
<span><strong>${name}</strong><small>${voice.say(`role_${role}`)}${hindrance && html` · ${voice.say(hindrance)}`}</small></span></label>`
  })
  const form = html`<form method="post" action="${asked.action}">
<input type="hidden" name="form_token" value="${form_token}">${asked.hidden}
<fieldset><legend>${voice.say('choose_about', { application: asked.application.name })}</legend>${choices}</fieldset>
<div class="buttons"><button name="decision" value="choose">${voice.say('continue')}</button>
<button class="second" name="decision" value="deny" formnovalidate>${voice.say('deny')}</button></div></form>`
  return {
    title,
    body: html`${applicationHead(asked, title)}
${form}
${accountLine(visit, asked)}`,
  }
}
