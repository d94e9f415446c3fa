import { listPasskeys } from '../../../services/accounts/passkeys.ts'
import { countRecoveryCodes } from '../../../services/accounts/recovery-codes.ts'
import { hasTotp } from '../../../services/accounts/second-factor.ts'
import {
  endOtherSessions,
  endSession,
  listSessions,
  type OwnSession,
  type Session,
} from '../../../services/accounts/sessions.ts'
import type { Texts } from '../../../texts/english.ts'
import { type Html, html } from '../../../texts/html.ts'
import { readClientInfo } from '../../kit/client-info.ts'
import { pathOf } from '../../kit/path-and-query.ts'
import { go, show } from '../answer.ts'
import { notice } from '../layout.ts'
import type { Visit } from '../visit.ts'
import { findRecentSession, footLine, securityForm, timeOf } from './parts.ts'

const done: { readonly [what: string]: keyof Texts } = {
  password: 'own_password_changed',
  email: 'email_changed',
  session: 'session_ended',
  sessions: 'sessions_ended',
  authenticator: 'authenticator_removed',
}

/** Shows the sign-in methods and the sessions of the account. */
export async function showSecurity(visit: Visit): Promise<void> {
  const { context, session, voice, query } = visit
  if (!session) return go(visit, '/sign-in?return_to=%2Fsecurity')
  const key = done[query.done ?? '']
  const { user_id } = session
  const passkeys = (await listPasskeys(context, user_id)).length
  const has_totp = await hasTotp(context, user_id)
  const codes = await countRecoveryCodes(context, user_id)
  show(visit, {
    title: voice.say('security'),
    body: html`<h1>${voice.say('security')}</h1>
${notice(key && voice.say(key), 'good')}
<ul class="settings">
${line('/security/email', voice.say('change_email'), session.email)}
${line('/security/password', voice.say('change_password'), '')}
${line('/security/passkeys', voice.say('passkeys'), voice.say(passkeys > 0 ? 'set_up' : 'not_set_up'))}
${line('/security/authenticator', voice.say('authenticator'), has_totp ? voice.say('recovery_left', { count: codes }) : voice.say('not_set_up'))}
${line('/security/delete', voice.say('delete_account'), '')}
</ul>
${sessionList(visit, session, await listSessions(context, user_id))}
${footLine(visit, session, '/account')}`,
  })
}

function line(href: string, text: string, state: string): Html {
  return html`<li><a href="${href}">${text}</a>${state !== '' && html` <span class="soft">·&nbsp;${state}</span>`}</li>`
}

function sessionList(visit: Visit, { id }: Session, sessions: readonly OwnSession[]): Html {
  const { voice } = visit
  const items = sessions.map(session => {
    const { browser, os } = readClientInfo(session.user_agent ?? '') ?? {}
    const name = [browser, os].filter(part => part).join(', ') || String(session.ip_address)
    const since = voice.say('session_since', { when: timeOf(voice, session.created_at) })
    const end = html`<button class="link" aria-label="${voice.say('sign_out')} ${name}">${voice.say('sign_out')}</button>`
    const state = session.id === id && html` ·&nbsp;${voice.say('this_session')}`
    return html`<li>${name} <span class="soft">·&nbsp;${since}${state}</span>
${session.id !== id && securityForm(visit, `/security/sessions/${session.id}/end`, end)}</li>`
  })
  const end = html`<div class="buttons"><button class="second">${voice.say('end_other_sessions')}</button></div>`
  return html`<h2>${voice.say('sessions')}</h2><ul class="settings">${items}</ul>
${sessions.length > 1 && securityForm(visit, '/security/sessions', end)}`
}

export async function takeSessionsEnd(visit: Visit): Promise<void> {
  const session = findRecentSession(visit)
  if (!session) return
  await endOtherSessions(visit.context, session.user_id, session.id)
  go(visit, '/security?done=sessions')
}

/** Succeeds if the session has already ended. */
export async function takeSessionEnd(visit: Visit): Promise<void> {
  const session = findRecentSession(visit)
  if (!session) return
  const { id = '' } = pathOf(visit.request)
  await endSession(visit.context, session.user_id, id)
  go(visit, '/security?done=session')
}
