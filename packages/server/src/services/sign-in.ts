import { addSeconds } from '@gatehouse/core'
import type { Context } from '../context.ts'
import { digest, newSecret } from '../vault.ts'
import { countFailure, findDelay, forgetFailures } from './lock-out.ts'
import { isPasswordRight } from './passwords.ts'
import { hasTotp, takeFactor } from './second-factor.ts'
import { openSession, type Visitor } from './sessions.ts'

export type SignIn =
  | { readonly is: 'open'; readonly token: string }
  /** The password was right; a code of the authenticator app is awaited. */
  | { readonly is: 'half'; readonly token: string }
  | { readonly is: 'refused' }
  | { readonly is: 'delayed'; readonly seconds: number }

const step_lifetime = 600
const most_tries = 5

/** By email and password. An unknown email costs the same time and gets the same answer as a wrong password. */
export async function signIn(
  context: Context,
  email: string,
  password: string,
  visitor: Visitor,
): Promise<SignIn> {
  const seconds = await findDelay(context, email, visitor.ip_address)
  if (seconds > 0) return { is: 'delayed', seconds }
  // Counted before it is checked, so that many attempts at once do not all pass.
  await countFailure(context, email, visitor.ip_address)
  const [user] = await context.db.query<{ id: string; password_hash: string | null }>(
    'SELECT id, password_hash FROM users WHERE email_key = $1',
    [email.toLowerCase()],
  )
  const is_right = await isPasswordRight(user?.password_hash, password.slice(0, 1000))
  if (!user || !is_right) return { is: 'refused' }
  await forgetFailures(context, email, visitor.ip_address)
  if (await hasTotp(context, user.id)) return { is: 'half', token: await beginStep(context, user.id) }
  return { is: 'open', token: await openSession(context, user.id, 'password', visitor) }
}

async function beginStep({ db, clock }: Context, user_id: string): Promise<string> {
  const token = newSecret('ghs')
  await db.query(
    'INSERT INTO sign_in_steps (token_hash, user_id, tries, expires_at) VALUES ($1, $2, 0, $3)',
    [digest(token), user_id, addSeconds(clock.now(), step_lifetime)],
  )
  return token
}

/**
 * The second step. Each step takes five codes, and wrong ones count for the account as wrong passwords do, on a count of
 * their own that a right password does not clear.
 */
export async function finishSignIn(
  context: Context,
  token: string,
  code: string,
  visitor: Visitor,
): Promise<SignIn> {
  const { db, clock } = context
  const [step] = await db.query<{ user_id: string }>(
    `UPDATE sign_in_steps SET tries = tries + 1 WHERE token_hash = $1 AND expires_at > $2 AND tries < ${most_tries} RETURNING user_id`,
    [digest(token), clock.now()],
  )
  if (!step) return { is: 'refused' }
  const counted = `code of ${step.user_id}`
  const seconds = await findDelay(context, counted, visitor.ip_address)
  if (seconds > 0) return { is: 'delayed', seconds }
  await countFailure(context, counted, visitor.ip_address)
  const method = await takeFactor(context, step.user_id, code)
  if (!method) return { is: 'refused' }
  await forgetFailures(context, counted, visitor.ip_address)
  await db.query('DELETE FROM sign_in_steps WHERE token_hash = $1', [digest(token)])
  return { is: 'open', token: await openSession(context, step.user_id, method, visitor) }
}
