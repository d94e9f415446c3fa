import { RequestError } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import { newId } from '../../store/ids.ts'
import { digest, newSecret } from '../../vault/vault.ts'
import type { Visitor } from '../accounts/sessions.ts'
import type { Context } from '../objects/context.ts'

/** A member who presented a credential, and whether the member or the credential is deleted or suspended. */
export interface GuestSession {
  /** Null for a member token, which is not a session that can be ended. */
  readonly session_id: string | null
  readonly organization_id: string
  readonly member_id: string
  readonly member_magic_link_id?: string | null
  readonly member_email_id?: string | null
  readonly member_token_id?: string | null
  readonly is_member_deleted: boolean
  readonly member_ends_at?: string | null
  readonly is_credential_deleted: boolean
  readonly is_credential_suspended: boolean
}

export type Credential = Pick<GuestSession, 'member_magic_link_id' | 'member_email_id' | 'member_token_id'>

type Needs = Pick<Context, 'db' | 'clock'>

/** A session ends a month after its last use, and at most a year after the sign-in. */
const idle = 30 * 24 * 3600
const longestSession = 365 * 24 * 3600
const noticed = 3600

export async function openMemberSession(
  { quotas }: Pick<Context, 'quotas'>,
  db: Database,
  now: string,
  holder: { organization_id: string; member_id: string } & Credential,
  { ip_address, user_agent }: Visitor,
): Promise<{ token: string; expires_at: string }> {
  const token = newSecret('ghg')
  const expires_at = addSeconds(now, idle)
  await db.query(
    `INSERT INTO member_sessions (id, token_hash, organization_id, member_id, member_magic_link_id, member_email_id,
       ip_address, user_agent, created_at, last_used_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10)`,
    [
      newId('member_session', now),
      digest(token),
      holder.organization_id,
      holder.member_id,
      holder.member_magic_link_id ?? null,
      holder.member_email_id ?? null,
      ip_address,
      user_agent?.slice(0, 500).toWellFormed().replaceAll('\0', '') ?? null,
      now,
      expires_at,
    ],
  )
  // As for users: beyond the quota, the oldest session ends.
  await db.query(
    `DELETE FROM member_sessions WHERE id IN (SELECT id FROM member_sessions WHERE organization_id = $1 AND member_id = $2
       ORDER BY created_at DESC, id DESC OFFSET $3)`,
    [holder.organization_id, holder.member_id, quotas.most('member.member_session')],
  )
  return { token, expires_at }
}

/** Reads the database each time, so that revoked credentials stop working at once. */
export function findGuest(context: Needs, token: string): Promise<GuestSession | undefined> {
  return token.startsWith('ghm_') ? findByToken(context, token) : findBySession(context, token)
}

/** `$2` is the time. */
function isSuspended(credential: string): string {
  return `(${credential}.is_suspended AND ($2::timestamptz < ${credential}.suspended_until OR ${credential}.suspended_until IS NULL))`
}

/** A stolen phone must not read the PIN with a link that is suspended. */
export function credentialSuspended(): RequestError {
  return new RequestError('permission_denied', 'this link, email or token is suspended for now', {
    args: { reason: 'credential_suspended' },
  })
}

async function findByToken({ db, clock }: Needs, token: string): Promise<GuestSession | undefined> {
  const [row] = await db.query<GuestSession>(
    `SELECT NULL AS session_id, t.organization_id, t.member_id, t.id AS member_token_id, m.is_deleted AS is_member_deleted, m.ends_at AS member_ends_at,
       t.is_deleted AS is_credential_deleted, ${isSuspended('t')} AS is_credential_suspended FROM member_tokens t JOIN organizations o ON o.id = t.organization_id
     JOIN members m ON m.organization_id = t.organization_id AND m.id = t.member_id
     WHERE t.token_hash = $1 AND NOT o.is_deleted`,
    [digest(token), clock.now()],
  )
  return row
}

async function findBySession({ db, clock }: Needs, token: string): Promise<GuestSession | undefined> {
  const now = clock.now()
  const [row] = await db.query<GuestSession & { created_at: string; last_used_at: string }>(
    `SELECT s.id AS session_id, s.organization_id, s.member_id, s.member_magic_link_id, s.member_email_id, s.created_at, s.last_used_at,
       m.is_deleted AS is_member_deleted, m.ends_at AS member_ends_at, coalesce(l.is_deleted, e.is_deleted, true) AS is_credential_deleted,
       coalesce(${isSuspended('l')}, ${isSuspended('e')}, false) AS is_credential_suspended
     FROM member_sessions s JOIN organizations o ON o.id = s.organization_id
     JOIN members m ON m.organization_id = s.organization_id AND m.id = s.member_id
     LEFT JOIN member_magic_links l ON l.organization_id = s.organization_id AND l.id = s.member_magic_link_id
     LEFT JOIN member_emails e ON e.organization_id = s.organization_id AND e.id = s.member_email_id
     WHERE s.token_hash = $1 AND s.expires_at > $2 AND NOT o.is_deleted`,
    [digest(token), now],
  )
  if (!row) return undefined
  const { created_at, last_used_at, ...session } = row
  if (last_used_at < addSeconds(now, -noticed))
    await db.query('UPDATE member_sessions SET last_used_at = $2, expires_at = $3 WHERE id = $1', [
      session.session_id,
      now,
      [addSeconds(now, idle), addSeconds(created_at, longestSession)].sort()[0],
    ])
  return session
}

export async function endMemberSession({ db }: Needs, { session_id }: GuestSession): Promise<void> {
  if (session_id === null)
    throw new RequestError('invalid_request', 'a member token is not a session; delete the token instead')
  await db.query('DELETE FROM member_sessions WHERE id = $1', [session_id])
}
