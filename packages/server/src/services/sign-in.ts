import type { Context } from '../context.ts'
import { countFailure, findDelay, forgetFailures } from './lock-out.ts'
import { isPasswordRight } from './passwords.ts'
import { openSession, type Visitor } from './sessions.ts'

export type SignIn =
  | { readonly is: 'open'; readonly token: string }
  | { readonly is: 'refused' }
  | { readonly is: 'delayed'; readonly seconds: number }

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
  return { is: 'open', token: await openSession(context, user.id, 'password', visitor) }
}
