import { email, invalid, required, text } from '@gatehouse/api'
import { requireRecent } from '../../services/accounts/admission.ts'
import { askForEmail, confirmEmail } from '../../services/accounts/change-email.ts'
import { inEvenTime } from '../../services/accounts/even-time.ts'
import { listPasskeys } from '../../services/accounts/passkeys.ts'
import { countRecoveryCodes, makeRecoveryCodes } from '../../services/accounts/recovery-codes.ts'
import {
  beginTotp,
  confirmTotp,
  hasTotp,
  removeTotp,
  tellChange,
} from '../../services/accounts/second-factor.ts'
import { deleteUser as deleteAccount } from '../../services/organizations/delete-user.ts'
import { userCaller } from '../browser/user-caller.ts'
import { invalidCode, readBody, type Visit } from './visit.ts'

const code = required(text(100), 'The code.')

/** What the account can be signed in with beside the password. */
export async function getFactors({ context, session }: Visit): Promise<object> {
  return {
    totp: await hasTotp(context, session.user_id),
    recovery_codes: await countRecoveryCodes(context, session.user_id),
    passkeys: (await listPasskeys(context, session.user_id)).length,
  }
}

export function createTotp({ context, session }: Visit): Promise<object> {
  requireRecent(context, session)
  return beginTotp(context, session)
}

export async function confirmTotpKey(visit: Visit): Promise<object> {
  const { context, session, voice } = visit
  const body = readBody(visit, { code })
  requireRecent(context, session)
  const recovery_codes = await confirmTotp(context, voice, session, body.code)
  if (!recovery_codes) throw invalidCode()
  return { recovery_codes }
}

export async function deleteTotp({ context, session, voice }: Visit): Promise<object> {
  requireRecent(context, session)
  await removeTotp(context, voice, session)
  return {}
}

export async function renewRecoveryCodes({ context, session, voice }: Visit): Promise<object> {
  requireRecent(context, session)
  if (!(await hasTotp(context, session.user_id)))
    throw invalid('', 'recovery codes stand in for an authenticator app; set one up first')
  const recovery_codes = await makeRecoveryCodes(context.db, session.user_id)
  await tellChange(context, voice, session)
  return { recovery_codes }
}

export async function changeEmail(visit: Visit): Promise<object> {
  const { context, session, voice } = visit
  const body = readBody(visit, { email: required(email, 'The new address.') })
  requireRecent(context, session)
  await inEvenTime(askForEmail(context, voice, session, body.email))
  return {}
}

export async function confirmNewEmail(visit: Visit): Promise<object> {
  const { context, session, voice } = visit
  const body = readBody(visit, { email: required(email, 'The new address.'), code })
  requireRecent(context, session)
  if (!(await confirmEmail(context, voice, session, body.email, body.code))) throw invalidCode()
  return { id: session.user_id, email: body.email, name: session.name }
}

export async function deleteOwnUser({ context, session, voice, request }: Visit): Promise<object> {
  requireRecent(context, session)
  await deleteAccount(context, voice, session, id => userCaller(request, session, id))
  return {}
}
