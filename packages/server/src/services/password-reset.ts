import { invalid, RequestError } from '@gatehouse/api'
import type { Context } from '../context.ts'
import type { Voice } from '../texts/language.ts'
import { sendLetterLater } from './letters.ts'
import { makeCode, takeCode } from './mail-codes.ts'
import { findPasswordFault, hashPassword, isPasswordRight } from './passwords.ts'
import { endOtherSessions, type Session } from './sessions.ts'

/** Sends a code to the address, if it has an account; nobody is told whether it has. */
export async function askForReset(context: Context, voice: Voice, email: string): Promise<void> {
  const [user] = await context.db.query<{ id: string; email: string }>(
    'SELECT id, email FROM users WHERE email_key = $1',
    [email.toLowerCase()],
  )
  const code = user && (await makeCode(context, email, 'reset', { user_id: user.id }))
  if (code) sendLetterLater(context, voice, user.email, 'reset', { code })
}

/** Sets the new password and ends every session; false when the code is wrong. */
export async function resetPassword(
  context: Context,
  voice: Voice,
  email: string,
  code: string,
  password: string,
): Promise<boolean> {
  const payload = await takeCode(context, email, 'reset', code)
  if (!payload) return false
  await storePassword(context, payload.user_id as string, password)
  await endOtherSessions(context, payload.user_id as string, null)
  sendLetterLater(context, voice, email, 'changed', {})
  return true
}

/** A signed-in user changes the password by the old one; every other session ends. */
export async function changePassword(
  context: Context,
  voice: Voice,
  session: Session,
  current: string,
  password: string,
): Promise<void> {
  const [user] = await context.db.query<{ password_hash: string | null }>(
    'SELECT password_hash FROM users WHERE id = $1',
    [session.user_id],
  )
  if (!(await isPasswordRight(user?.password_hash, current)))
    throw new RequestError('permission_denied', 'the current password is wrong', {
      args: { reason: 'wrong_password', field: 'current_password' },
    })
  const fault = await findPasswordFault(password, [session.email, session.name ?? ''])
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
