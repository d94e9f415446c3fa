import { invalid } from '@gatehouse-access/api'
import {
  beginRegistration,
  finishRegistration,
  listPasskeys,
  removePasskey,
} from '../../../services/accounts/passkeys.ts'
import { tellChange } from '../../../services/accounts/second-factor.ts'
import { html } from '../../../texts/html.ts'
import { pathOf } from '../../kit/path-and-query.ts'
import { go, show } from '../answer.ts'
import { field } from '../layout.ts'
import type { Visit } from '../visit.ts'
import { findRecentSession, footLine, requireRecentSession, securityForm, timeOf } from './parts.ts'

/** Browsers create passkeys only through scripts. Without scripts, the page says what is needed. */
export async function showPasskeys(visit: Visit): Promise<void> {
  const { context, voice, form_token } = visit
  const session = findRecentSession(visit)
  if (!session) return
  const passkeys = await listPasskeys(context, session.user_id)
  const items = passkeys.map(({ id, name, created_at }) => {
    const remove = html`<button class="link" aria-label="${voice.say('remove')} ${String(name)}">${voice.say('remove')}</button>`
    const added = voice.say('passkey_added', { when: timeOf(voice, String(created_at)) })
    return html`<li>${String(name)} <span class="soft">·&nbsp;${added}</span>
${securityForm(visit, `/security/passkeys/${String(id)}/remove`, remove)}</li>`
  })
  show(visit, {
    title: voice.say('passkeys'),
    script: '/assets/enrol-passkey.js',
    body: html`<h1>${voice.say('passkeys')}</h1>
<p>${voice.say('passkeys_about')}</p>
${items.length > 0 ? html`<ul class="settings">${items}</ul>` : html`<p class="soft sentence">${voice.say('not_set_up')}</p>`}
<p class="notice warn" id="enrol-needs">${voice.say('passkey_needs_script')}</p>
<form id="enrol" hidden data-form_token="${form_token}">
${field({ name: 'name', label: voice.say('passkey_name'), autocomplete: 'off', value: 'Passkey' })}
<div class="buttons"><button>${voice.say('add_passkey')}</button></div></form>
<p class="notice error" id="enrol-failed" role="alert" hidden>${voice.say('passkey_not_added')}</p>
${footLine(visit, session)}`,
  })
}

/** Called by the script of the page. Both handlers respond with JSON. */
export async function beginPasskeyEnrolment(visit: Visit): Promise<void> {
  visit.reply.send(await beginRegistration(visit.context, requireRecentSession(visit)))
}

export async function takePasskeyEnrolment(visit: Visit): Promise<void> {
  const { context, voice, form, reply } = visit
  const session = requireRecentSession(visit)
  const name = (form.name ?? '').trim().slice(0, 255) || 'Passkey'
  await finishRegistration(context, session, name, readResponse(form.response))
  await tellChange(context, voice, session)
  reply.send({ location: '/security/passkeys' })
}

function readResponse(text: string | undefined): Parameters<typeof finishRegistration>[3] {
  try {
    return JSON.parse(text ?? '')
  } catch {
    throw invalid('response', 'response must be the JSON of a credential')
  }
}

export async function takePasskeyRemoval(visit: Visit): Promise<void> {
  const { context, voice, request } = visit
  const session = findRecentSession(visit)
  if (!session) return
  await removePasskey(context, session.user_id, pathOf(request).id ?? '')
  await tellChange(context, voice, session)
  go(visit, '/security/passkeys')
}
