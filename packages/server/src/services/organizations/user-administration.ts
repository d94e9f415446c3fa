import { RequestError } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'
import { logHappening } from '../../store/write.ts'
import { forgetFactors } from '../accounts/second-factor.ts'
import { forgetBrowsers, idleBefore } from '../accounts/sessions.ts'
import type { Context, Work } from '../objects/context.ts'
import { findRole, type Role } from '../roles/roles.ts'
import { hasSecondFactor, ownersOnly } from './organization-users.ts'

interface KnownUser {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly created_at: string
  readonly sessions: number
  readonly has_second_factor: boolean
}

/** Lists users with the number of their sessions that still work, for the operator. */
export function listAllUsers({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<KnownUser[]> {
  const now = clock.now()
  return db.query<KnownUser>(
    `SELECT u.id, u.email, u.name, u.created_at,
       (SELECT count(*)::int FROM user_sessions s WHERE s.user_id = u.id AND s.expires_at > $1 AND s.last_used_at > $2) AS sessions,
       ${hasSecondFactor} AS has_second_factor
     FROM users u WHERE u.deleted_at IS NULL ORDER BY u.email_key`,
    [now, idleBefore(now)],
  )
}

export async function findUserByEmail(db: Database, email: string): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>('SELECT id FROM users WHERE email_key = $1', [
    email.toLowerCase(),
  ])
  return row?.id
}

/**
 * Ends and counts the sessions of one user, or of all; their browsers get no more push messages. Running
 * processes drop them within a second.
 */
export async function signOut({ db }: Pick<Context, 'db'>, user_id: string | null): Promise<number> {
  const rows = await db.query(
    'DELETE FROM user_sessions WHERE $1::text IS NULL OR user_id = $1 RETURNING id',
    [user_id],
  )
  await forgetBrowsers(db, user_id)
  db.afterCommit('rights_changed')
  return rows.length
}

/** For a user who lost app and recovery codes, after an identity check. Sessions end, the password stays. */
export async function resetFactors(part: Pick<Context, 'db'>, user_id: string): Promise<void> {
  await forgetFactors(part, user_id)
  await part.db.query('DELETE FROM passkeys WHERE user_id = $1', [user_id])
  await signOut(part, user_id)
}

/**
 * Signs a user out of one organization: sessions that began earlier are refused there. An organization cannot
 * end the user's sessions for other organizations.
 */
export async function signOutOfOrganization(work: Work, own_role: Role, user_id: string): Promise<void> {
  const role = await findRole(work.db, work.caller.organization_id, user_id)
  if (!role) throw new RequestError('not_found', 'the organization has no user with this id')
  if (role === 'owner' && own_role !== 'owner') throw ownersOnly()
  await work.db.query(
    `UPDATE organization_users SET signed_out_at = CASE WHEN duty IS NULL THEN $3 ELSE signed_out_at END,
       duty_signed_out_at = CASE WHEN duty IS NULL THEN NULL ELSE $3::timestamptz END WHERE organization_id = $1 AND user_id = $2`,
    [work.caller.organization_id, user_id, work.now],
  )
  work.db.afterCommit('rights_changed')
  await logHappening(work, 'edit', { type: 'user', user_id })
}
