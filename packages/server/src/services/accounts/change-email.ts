import type { Voice } from '../../texts/language.ts'
import { sendLetterLater } from '../mail/letters.ts'
import { makeCode, maySend, takeCode } from '../mail/mail-codes.ts'
import type { Context } from '../objects/context.ts'
import { endOtherSessions, type Session } from './sessions.ts'

/**
 * Two steps. Request: a code goes to the new address. Confirmation: the address changes, the old one is told,
 * and every other session ends. An address that has an account gets another mail and the same response.
 */
export async function askForEmail(
  context: Context,
  voice: Voice,
  session: Session,
  email: string,
): Promise<void> {
  const known = await context.db.query('SELECT 1 FROM users WHERE email_key = $1', [email.toLowerCase()])
  if (known.length > 0) {
    if (await maySend(context, email)) sendLetterLater(context, voice, email, 'known', {})
    return
  }
  const code = await makeCode(context, email, 'email', { user_id: session.user_id, email }, session.id)
  if (code) sendLetterLater(context, voice, email, 'email', { code })
}

/** Returns false if the code is wrong, belongs to another user, or the address was taken in the meantime. */
export async function confirmEmail(
  context: Context,
  voice: Voice,
  session: Session,
  email: string,
  code: string,
): Promise<boolean> {
  const payload = await takeCode(context, email, 'email', code, session.id)
  if (payload?.user_id !== session.user_id) return false
  const rows = await context.db.query(
    `UPDATE users SET email = $2, email_key = $3, email_verified_at = $4 WHERE id = $1
     AND NOT EXISTS (SELECT 1 FROM users WHERE email_key = $3) RETURNING id`,
    [session.user_id, payload.email, email.toLowerCase(), context.clock.now()],
  )
  if (rows.length === 0) return false
  context.db.afterCommit('rights_changed')
  await endOtherSessions(context, session.user_id, session.id)
  sendLetterLater(context, voice, session.email, 'moved', { email })
  return true
}
