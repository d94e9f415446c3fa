import type { Database } from '../../database/db.ts'
import { scopes as knownScopes } from '../../oauth/scopes.ts'
import { guess } from '../../services/accounts/lock-out.ts'
import type { Session } from '../../services/accounts/sessions.ts'
import { forStrangers } from '../../services/accounts/stranger.ts'
import { findApplicationHead } from '../../services/applications/applications.ts'
import {
  type DeviceLogin,
  decideDeviceLogin,
  findDeviceLogin,
} from '../../services/applications/device-logins.ts'
import { listLivingOrganizations } from '../../services/organizations/user-organizations.ts'
import type { Texts } from '../../texts/english.ts'
import { type Html, html, prose } from '../../texts/html.ts'
import { go, show } from './answer.ts'
import { askPage } from './ask.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { grantAccess } from './grant-access.ts'
import { field, notice } from './layout.ts'
import { accountLine } from './parts.ts'
import type { Visit } from './visit.ts'

/**
 * The steps of `gatehouse login` (RFC 8628), all at /device: sign in → type the code that the terminal shows →
 * choose the organization (skipped if there is only one) → allow or deny. The terminal learns it when it asks next.
 */
export function showDevice(visit: Visit): void {
  const { session, query } = visit
  const user_code = readCode(query.user_code)
  if (session) showForm(visit, session, user_code)
  else signInFirst(visit, user_code)
}

export async function takeDevice(visit: Visit): Promise<void> {
  const { context, session, form, request } = visit
  const user_code = readCode(form.user_code)
  if (!session) return signInFirst(visit, user_code)
  const look = (db: Database) => findDeviceLogin(db, user_code, context.clock.now())
  const found = await guess(
    forStrangers(context),
    `device codes ${session.user_id}`,
    { ip_address: request.ip },
    look,
  )
  if (typeof found === 'number')
    return showForm(visit, session, user_code, 'too_many_attempts', { seconds: found })
  if (!found) return showForm(visit, session, user_code, 'device_wrong')
  const asked = await describe(visit, session, found)
  if (form.decision === 'deny') return deny(visit, asked, user_code)
  if (form.decision === 'allow') return allow(visit, asked, user_code, form.organization_id ?? '')
  show(visit, askPage(visit, asked, form.organization_id))
}

async function deny(visit: Visit, { session }: AuthorizationRequest, user_code: string): Promise<void> {
  const { context } = visit
  const payload = { error: 'access_denied', errorDescription: 'the user denied the request' }
  const decision = { user_id: session.user_id, organization_id: null, grant_id: null, payload }
  await decideDeviceLogin(context.db, user_code, context.clock.now(), decision)
  showEnd(visit, html`${notice(visit.voice.say('device_denied'), 'warn')}`)
}

async function allow(
  visit: Visit,
  asked: AuthorizationRequest,
  user_code: string,
  organization_id: string,
): Promise<void> {
  const { context, engine } = visit
  const { session } = asked
  const granted = await grantAccess(visit, asked, organization_id)
  if (!granted) return show(visit, askPage(visit, asked, organization_id), { status: 400 })
  const { account, grant_id, scopes } = granted
  const payload = { accountId: account, grantId: grant_id, scope: scopes.join(' ') }
  const decision = { user_id: session.user_id, organization_id, grant_id, payload }
  if (await decideDeviceLogin(context.db, user_code, context.clock.now(), decision))
    return showAllowed(visit, asked, organization_id)
  const { Grant } = await engine()
  await (await Grant.find(grant_id))?.destroy()
  showForm(visit, session, user_code, 'device_wrong')
}

async function describe(
  { context }: Visit,
  session: Session,
  { user_code, oauth_application_id, scopes, ip_address }: DeviceLogin,
): Promise<AuthorizationRequest> {
  const application = await findApplicationHead(context.db, oauth_application_id)
  const code = spell(user_code)
  return {
    page: pageOf(user_code),
    action: '/device',
    hidden: html`<input type="hidden" name="user_code" value="${code}">`,
    application: application ?? { id: '', name: '', has_logo: false },
    scopes: knownScopes.filter(known => scopes.includes(known)),
    terminal: { code, address: ip_address },
    session,
    organizations: await listLivingOrganizations(context, session.user_id),
  }
}

function showForm(
  visit: Visit,
  session: Session,
  user_code: string,
  bad?: keyof Texts,
  gaps: Record<string, number> = {},
): void {
  const { voice, form_token } = visit
  const title = voice.say('device_login')
  const body = html`<h1>${title}</h1>
${notice(bad && prose(voice.say(bad, gaps)))}
<p>${voice.say('device_about')}</p>
<form method="post" action="/device"><input type="hidden" name="form_token" value="${form_token}">
${field({ name: 'user_code', label: voice.say('device_code'), autocomplete: 'off', value: spell(user_code), focus: true })}
<div class="buttons"><button>${voice.say('continue')}</button></div></form>
${accountLine(visit, { session, page: pageOf(user_code) })}`
  show(visit, { title, body }, { status: bad === undefined ? 200 : bad === 'too_many_attempts' ? 429 : 400 })
}

function showAllowed(visit: Visit, { organizations }: AuthorizationRequest, organization_id: string): void {
  const { voice } = visit
  const organization = organizations.find(({ id }) => id === organization_id)?.name ?? ''
  const end = html`${notice(voice.say('device_allowed', { organization }), 'good')}
<p class="soft">${voice.say('consent_end')}</p>`
  showEnd(visit, end)
}

function showEnd(visit: Visit, end: Html): void {
  const { voice } = visit
  const title = voice.say('device_login')
  const links = html`<ul class="links"><li><a href="/">${voice.say('to_console')}</a></li></ul>`
  show(visit, { title, body: html`<h1>${title}</h1>${end}${links}` })
}

function signInFirst(visit: Visit, user_code: string): void {
  go(visit, `/sign-in?return_to=${encodeURIComponent(pageOf(user_code))}`)
}

function pageOf(user_code: string): string {
  return user_code === '' ? '/device' : `/device?user_code=${spell(user_code)}`
}

/** People type small letters, blanks and dashes; the code itself has none. */
function readCode(given = ''): string {
  return given
    .toUpperCase()
    .replace(/[^A-Z]/g, '')
    .slice(0, 20)
}

function spell(code: string): string {
  return code.length > 4 ? `${code.slice(0, 4)}-${code.slice(4)}` : code
}
