import { encode } from 'uqr'
import { countRecoveryCodes, makeRecoveryCodes } from '../../../services/accounts/recovery-codes.ts'
import {
  beginTotp,
  confirmTotp,
  hasTotp,
  removeTotp,
  tellChange,
} from '../../../services/accounts/second-factor.ts'
import type { Session } from '../../../services/accounts/sessions.ts'
import { Html, html } from '../../../texts/html.ts'
import { go, show } from '../answer.ts'
import { field, notice, type Page } from '../layout.ts'
import type { Visit } from '../visit.ts'
import { copyButton, findRecentSession, footLine, securityForm } from './parts.ts'

export async function showAuthenticator(visit: Visit): Promise<void> {
  const session = findRecentSession(visit)
  if (!session) return
  const is_set_up = await hasTotp(visit.context, session.user_id)
  show(visit, is_set_up ? await statePage(visit, session) : await setUpPage(visit, session, undefined))
}

async function setUpPage(visit: Visit, session: Session, bad: string | undefined): Promise<Page> {
  const { voice } = visit
  const { key, uri } = await beginTotp(visit.context, session)
  const fields = html`${field({ name: 'code', label: voice.say('code_from_app'), autocomplete: 'one-time-code', focus: bad !== undefined })}
<div class="buttons"><button>${voice.say('turn_on')}</button></div>`
  return {
    title: voice.say('authenticator'),
    script: '/assets/copy.js',
    body: html`<h1>${voice.say('authenticator')}</h1>
${notice(bad)}
<p>${voice.say('authenticator_about')}</p>
<p>${voice.say('scan_or_type')}</p>
${drawQr(uri, voice.say('qr_code'))}
<p><a href="${uri}">${voice.say('open_authenticator')}</a></p>
<p><code>${(key.match(/.{4}/g) ?? []).join(' ')}</code></p>
${copyButton(voice, 'copy_key', key)}
${securityForm(visit, '/security/authenticator', fields)}
${footLine(visit, session)}`,
  }
}

/** Draws dark on light in every theme, because cameras cannot read inverted codes. */
function drawQr(text: string, label: string): Html {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const cells = data.flatMap((row, y) => row.map((is_dark, x) => (is_dark ? `M${x} ${y}h1v1h-1z` : '')))
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">
<rect width="${size}" height="${size}" fill="#fff"/><path d="${new Html(cells.join(''))}" fill="#000"/></svg>`
}

export async function takeAuthenticator(visit: Visit): Promise<void> {
  const { context, voice, form } = visit
  const session = findRecentSession(visit)
  if (!session) return
  if (await hasTotp(context, session.user_id)) return go(visit, '/security/authenticator')
  const codes = await confirmTotp(context, voice, session, form.code ?? '')
  if (!codes) return show(visit, await setUpPage(visit, session, voice.say('code_wrong')), { status: 400 })
  show(visit, codesPage(visit, session, codes))
}

/** The file needs no script, and leaves nothing at the service. */
function codesPage(visit: Visit, session: Session, codes: readonly string[]): Page {
  const { voice, context } = visit
  const file = [context.config.public_url, session.email, '', ...codes, ''].join('\n')
  return {
    title: voice.say('recovery_codes'),
    script: '/assets/copy.js',
    body: html`<h1>${voice.say('recovery_codes')}</h1>
${notice(voice.say('authenticator_on'), 'good')}
<p>${voice.say('recovery_about')}</p>
<ol class="codes">${codes.map(code => html`<li><code>${code}</code></li>`)}</ol>
${copyButton(voice, 'copy_codes', codes.join('\n'))}
<p><a download="gatehouse-recovery-codes.txt" href="data:text/plain;charset=utf-8,${encodeURIComponent(file)}">${voice.say('save_codes')}</a></p>
${footLine(visit, session)}`,
  }
}

async function statePage(visit: Visit, session: Session): Promise<Page> {
  const { voice } = visit
  const count = await countRecoveryCodes(visit.context, session.user_id)
  const button = (text: string) => html`<div class="buttons"><button class="second">${text}</button></div>`
  return {
    title: voice.say('authenticator'),
    body: html`<h1>${voice.say('authenticator')}</h1>
<p>${voice.say('authenticator_on')} ${voice.say('recovery_left', { count })}</p>
${securityForm(visit, '/security/recovery-codes', button(voice.say('new_recovery_codes')))}
${securityForm(visit, '/security/authenticator/remove', button(voice.say('turn_off')))}
${footLine(visit, session)}`,
  }
}

export async function takeRecoveryCodes(visit: Visit): Promise<void> {
  const { context, voice } = visit
  const session = findRecentSession(visit)
  if (!session) return
  if (!(await hasTotp(context, session.user_id))) return go(visit, '/security/authenticator')
  const codes = await makeRecoveryCodes(context.db, session.user_id)
  await tellChange(context, voice, session)
  show(visit, codesPage(visit, session, codes))
}

export async function takeAuthenticatorRemoval(visit: Visit): Promise<void> {
  const session = findRecentSession(visit)
  if (!session) return
  await removeTotp(visit.context, visit.voice, session)
  go(visit, '/security?done=authenticator')
}
