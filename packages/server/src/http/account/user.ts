import { nameText, optional, required, shape, type Type, text } from '@gatehouse/api'
import { findRefusal, requireRecent } from '../../services/accounts/admission.ts'
import {
  beginRegistration,
  finishRegistration,
  listPasskeys,
  removePasskey,
} from '../../services/accounts/passkeys.ts'
import { changePassword } from '../../services/accounts/password-reset.ts'
import { tellChange } from '../../services/accounts/second-factor.ts'
import { endOtherSessions, endSession, listSessions } from '../../services/accounts/sessions.ts'
import { renameUser } from '../../services/accounts/users.ts'
import { listOrganizations } from '../../services/organizations/user-organizations.ts'
import { visitorOf } from '../browser/sessions.ts'
import { readBody, type Visit } from './visit.ts'

/** Who is signed in, and what its requests have to carry. */
export async function getSession({ context, service, request, session }: Visit): Promise<object> {
  const { user_id, email, name, expires_at } = session
  const organizations = await listOrganizations(context.db, user_id)
  return {
    id: session.id,
    user: { id: user_id, email, name },
    method: session.method,
    csrf_token: service.sessions.csrfToken(request),
    organizations: organizations.map(held => ({
      ...held,
      refusal: findRefusal(context, session, held) ?? null,
    })),
    expires_at,
  }
}

export async function editUser(visit: Visit): Promise<object> {
  const { context, session } = visit
  const { name } = readBody(visit, { name: required(nameText, 'Name.') })
  await renameUser(context, session.user_id, name)
  return { id: session.user_id, email: session.email, name }
}

export async function setPassword(visit: Visit): Promise<object> {
  const { context, session, voice, request } = visit
  const secret = text(1000)
  const body = readBody(visit, {
    current_password: required(secret, 'The present password.'),
    password: required(secret, 'The new one.'),
  })
  await changePassword(context, voice, session, body.current_password, body.password, visitorOf(request))
  return {}
}

export async function getSessions({ context, session }: Visit): Promise<object> {
  const rows = await listSessions(context, session.user_id)
  return { data: rows.map(row => ({ ...row, is_current: row.id === session.id })) }
}

export async function deleteSession({ context, session, ids }: Visit): Promise<object> {
  requireRecent(context, session)
  await endSession(context, session.user_id, ids.session_id as string)
  return {}
}

export async function deleteOtherSessions({ context, session }: Visit): Promise<object> {
  requireRecent(context, session)
  await endOtherSessions(context, session.user_id, session.id)
  return {}
}

export async function getPasskeys({ context, session }: Visit): Promise<object> {
  return { data: await listPasskeys(context, session.user_id) }
}

export async function beginPasskey({ context, session }: Visit): Promise<object> {
  requireRecent(context, session)
  return beginRegistration(context, session)
}

const anything: Type<object> = { ...shape({}), parse: value => value as object }

export async function createPasskey(visit: Visit): Promise<object> {
  const body = readBody(visit, {
    name: optional(nameText, 'What the user calls it.'),
    response: required(anything, 'What the browser answered to the options.'),
  })
  const { context, session, voice } = visit
  requireRecent(context, session)
  const passkey = await finishRegistration(context, session, body.name ?? 'Passkey', body.response as never)
  await tellChange(context, voice, session)
  return passkey
}

export async function deletePasskey({ context, session, ids, voice }: Visit): Promise<object> {
  requireRecent(context, session)
  await removePasskey(context, session.user_id, ids.passkey_id as string)
  await tellChange(context, voice, session)
  return {}
}
