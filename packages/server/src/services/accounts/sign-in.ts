import { addSeconds } from '@gatehouse-access/core'
import { present } from '../../flow/present.ts'
import { digest, newSecret } from '../../vault/vault.ts'
import type { Context } from '../objects/context.ts'
import { settleAttempt, takeAttempt } from './lock-out.ts'
import { isPasswordRight } from './passwords.ts'
import { hasTotp, takeFactor } from './second-factor.ts'
import { openSession, type Visitor } from './sessions.ts'
import { forStrangers } from './stranger.ts'

export type SignIn =
  | { readonly is: 'open'; readonly token: string }
  /** The password was right. A code from the authenticator app is still required. */
  | { readonly is: 'half'; readonly token: string }
  | { readonly is: 'refused' }
  | { readonly is: 'delayed'; readonly seconds: number }

const step_lifetime = 600
const most_tries = 5

/** Signs in by email and password. An unknown email takes as long and is answered like a wrong password. */
export async function signIn(
  whole: Context,
  email: string,
  password: string,
  visitor: Visitor,
): Promise<SignIn> {
  const context = forStrangers(whole)
  const seconds = await takeAttempt(context, email, visitor)
  if (seconds > 0) return { is: 'delayed', seconds }
  const [user] = await context.db.query<{ id: string; password_hash: string | null }>(
    'SELECT id, password_hash FROM users WHERE email_key = $1',
    [email.toLowerCase()],
  )
  const is_right = await isPasswordRight(user?.password_hash, password.slice(0, 1000))
  if (!user || !is_right) return { is: 'refused' }
  await settleAttempt(context, email, visitor)
  const proof = present(user.password_hash, 'the hash of a right password')
  const is_half = await hasTotp(context, user.id)
  const token = is_half
    ? await beginStep(context, user.id, proof)
    : await openSession(context, user.id, 'password', visitor, proof)
  return token ? { is: is_half ? 'half' : 'open', token } : { is: 'refused' }
}

async function beginStep(
  { db, clock }: Context,
  user_id: string,
  password_hash: string,
): Promise<string | undefined> {
  const token = newSecret('ghs')
  const rows = await db.query(
    `INSERT INTO sign_in_steps (token_hash, user_id, tries, expires_at) SELECT $1, id, 0, $4::timestamptz FROM users
     WHERE id = $2 AND password_hash = $3 FOR SHARE RETURNING user_id`,
    [digest(token), user_id, password_hash, addSeconds(clock.now(), step_lifetime)],
  )
  return rows.length > 0 ? token : undefined
}

/**
 * The second step of a sign-in. Each step allows five codes. Wrong codes count against the account like wrong
 * passwords, but in a separate counter that a right password does not clear.
 */
export async function finishSignIn(
  whole: Context,
  token: string,
  code: string,
  visitor: Visitor,
): Promise<SignIn> {
  const context = forStrangers(whole)
  const { db, clock } = context
  const [step] = await db.query<{ user_id: string }>(
    `UPDATE sign_in_steps SET tries = tries + 1 WHERE token_hash = $1 AND expires_at > $2 AND tries < ${most_tries} RETURNING user_id`,
    [digest(token), clock.now()],
  )
  if (!step) return { is: 'refused' }
  const counted = `code of ${step.user_id}`
  const seconds = await takeAttempt(context, counted, visitor)
  if (seconds > 0) return { is: 'delayed', seconds }
  const method = await takeFactor(context, step.user_id, code)
  if (!method) return { is: 'refused' }
  await settleAttempt(context, counted, visitor)
  // A missing step was ended in the meantime, together with the sessions of the account.
  const ended = await db.query('DELETE FROM sign_in_steps WHERE token_hash = $1 RETURNING user_id', [
    digest(token),
  ])
  const session = ended.length > 0 && (await openSession(context, step.user_id, method, visitor))
  return session ? { is: 'open', token: session } : { is: 'refused' }
}
