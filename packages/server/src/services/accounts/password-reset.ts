import { invalid, RequestError } from '@gatehouse-access/api'
import type { Voice } from '../../texts/language.ts'
import { sendLetterLater } from '../mail/letters.ts'
import { makeCode, takeCode } from '../mail/mail-codes.ts'
import type { Context } from '../objects/context.ts'
import { settleAttempt, takeAttempt } from './lock-out.ts'
import { findPasswordFault, hashPassword, isPasswordRight } from './passwords.ts'
import { endOtherSessions, type Session, type Visitor } from './sessions.ts'
import { forStrangers, type Stranger } from './stranger.ts'

/** Sends a code to the address if it has an account. The response does not reveal whether it has one. */
export async function askForReset(stranger: Stranger, email: string): Promise<void> {
  const { voice, form_token } = stranger
  const context = forStrangers(stranger.context)
  const [user] = await context.db.query<{ id: string; email: string }>(
    'SELECT id, email FROM users WHERE email_key = $1',
    [email.toLowerCase()],
  )
  const code = user && (await makeCode(context, email, 'reset', { user_id: user.id }, form_token))
  if (code) sendLetterLater(context, voice, user.email, 'reset', { code })
}

/** Sets the new password and ends every session. Returns false if the code is wrong. */
export async function resetPassword(
  stranger: Stranger,
  email: string,
  code: string,
  password: string,
): Promise<boolean> {
  const { voice, form_token } = stranger
  const context = forStrangers(stranger.context)
  const payload = await takeCode(context, email, 'reset', code, form_token)
  const user_id = payload && (await findOwner(context, String(payload.user_id), email))
  if (!user_id) return false
  await storePassword(context, user_id, password)
  await endOtherSessions(context, user_id, null)
  sendLetterLater(context, voice, email, 'changed', {})
  return true
}

/** The account must still have the address: a user who moved to another one may have lost this one. */
async function findOwner({ db }: Context, user_id: string, email: string): Promise<string | undefined> {
  const rows = await db.query('SELECT 1 FROM users WHERE id = $1 AND email_key = $2', [
    user_id,
    email.toLowerCase(),
  ])
  return rows.length > 0 ? user_id : undefined
}

/** Changes the password of a signed-in user who gives the old one. Every other session ends. */
export async function changePassword(
  whole: Context,
  voice: Voice,
  session: Session,
  current: string,
  password: string,
  { ip_address }: Visitor,
): Promise<void> {
  const context = forStrangers(whole)
  const origin = { ip_address, known: session.id }
  const seconds = await takeAttempt(context, session.email, origin)
  if (seconds > 0)
    throw new RequestError('rate_limited', `too many wrong passwords; try again in ${seconds} s`, {
      headers: { 'retry-after': String(seconds) },
    })
  const [user] = await context.db.query<{ password_hash: string | null }>(
    'SELECT password_hash FROM users WHERE id = $1',
    [session.user_id],
  )
  if (!(await isPasswordRight(user?.password_hash, current)))
    throw new RequestError('permission_denied', 'the current password is wrong', {
      args: { reason: 'wrong_password', field: 'current_password' },
    })
  await settleAttempt(context, session.email, origin)
  const fault = await findPasswordFault(context, password, [session.email, session.name ?? ''])
  if (fault) throw invalid('password', voice.say(fault))
  await storePassword(context, session.user_id, password)
  await endOtherSessions(context, session.user_id, session.id)
  sendLetterLater(context, voice, session.email, 'changed', {})
}

async function storePassword({ db, clock }: Context, user_id: string, password: string): Promise<void> {
  await db.query(
    'UPDATE users SET password_hash = $2, email_verified_at = coalesce(email_verified_at, $3) WHERE id = $1',
    [user_id, await hashPassword(password), clock.now()],
  )
}
