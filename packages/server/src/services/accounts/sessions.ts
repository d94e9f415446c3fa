import { addSeconds } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import { newId } from '../../store/ids.ts'
import type { Language } from '../../texts/language.ts'
import { digest, newSecret } from '../../vault/vault.ts'
import type { Context } from '../objects/context.ts'

/** How the user signed in: a password alone, a passkey, or a password and a code. */
export type Method = 'password' | 'passkey' | 'totp' | 'recovery_code'

export interface Session {
  readonly id: string
  readonly user_id: string
  readonly method: Method
  /** Whether the account had a second factor when the session began. */
  readonly had_second_factor: boolean
  readonly email: string
  readonly name: string | null
  readonly created_at: string
  readonly last_used_at: string
  readonly expires_at: string
}

export interface Visitor {
  readonly ip_address: string
  /** Set for a browser that signed in to the account before. */
  readonly known?: string | undefined
  readonly user_agent: string | undefined
  /** The language of the browser, for mails that nobody asked for. */
  readonly language?: Language | undefined
}

type Needs = Pick<Context, 'db' | 'clock'>
type Opening = Needs & Pick<Context, 'quotas'>

/** A session ends a week after the sign-in, or a day after its last use. */
export const lifetime = 7 * 24 * 3600
const idle = 24 * 3600
const noticed = 60

/** A session last used before this has ended, whatever its `expires_at`. */
export function idleBefore(now: string): string {
  return addSeconds(now, -idle)
}

/**
 * Returns undefined if `password_hash` is no longer current. A password change ends all sessions, so a check
 * of the old password must not open a new session afterwards.
 */
export async function openSession(
  context: Opening,
  user_id: string,
  method: Method,
  { ip_address, user_agent, language }: Visitor,
  password_hash?: string,
): Promise<string | undefined> {
  const { db, clock } = context
  const token = newSecret('ghs')
  const now = clock.now()
  const rows = await db.query(
    `INSERT INTO user_sessions (id, token_hash, user_id, method, ip_address, user_agent, created_at, last_used_at, expires_at)
     SELECT $1, $2, id, $4, $5, $6, $7::timestamptz, $7::timestamptz, $8::timestamptz FROM users
     WHERE id = $3 AND deleted_at IS NULL AND ($9::text IS NULL OR password_hash = $9) FOR SHARE RETURNING id`,
    [
      newId('user_session', now),
      digest(token),
      user_id,
      method,
      ip_address,
      user_agent?.slice(0, 500).toWellFormed().replaceAll('\0', '') ?? null,
      now,
      addSeconds(now, lifetime),
      password_hash ?? null,
    ],
  )
  if (rows.length === 0) return undefined
  await endOldest(context, user_id)
  if (language) await rememberLanguage(db, user_id, language)
  return token
}

async function rememberLanguage(db: Context['db'], user_id: string, language: Language): Promise<void> {
  await db.query('UPDATE users SET language = $2 WHERE id = $1 AND language IS DISTINCT FROM $2', [
    user_id,
    language,
  ])
}

/** A sign-in always works. Beyond the quota, the oldest session ends. */
async function endOldest({ db, quotas }: Opening, user_id: string): Promise<void> {
  const ended = await db.query(
    `DELETE FROM user_sessions WHERE id IN
       (SELECT id FROM user_sessions WHERE user_id = $1 ORDER BY created_at DESC, id DESC OFFSET $2) RETURNING id`,
    [user_id, quotas.most('user.user_session')],
  )
  if (ended.length > 0) db.afterCommit('rights_changed')
}

const hadSecondFactor = `(EXISTS (SELECT 1 FROM totp_keys t WHERE t.user_id = s.user_id AND t.confirmed_at < s.created_at)
       OR EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = s.user_id AND p.created_at < s.created_at))`

export async function findSession({ db, clock }: Needs, token: string): Promise<Session | undefined> {
  const now = clock.now()
  const [session] = await db.query<Session>(
    `SELECT s.id, s.user_id, s.method, ${hadSecondFactor} AS had_second_factor, u.email, u.name, s.created_at, s.last_used_at, s.expires_at FROM user_sessions s JOIN users u ON u.id = s.user_id
     WHERE s.token_hash = $1 AND s.expires_at > $2 AND s.last_used_at > $3`,
    [digest(token), now, idleBefore(now)],
  )
  if (session && session.last_used_at < addSeconds(now, -noticed))
    await db.query('UPDATE user_sessions SET last_used_at = $2 WHERE id = $1', [session.id, now])
  return session
}

/** A session as its user sees it. */
export interface OwnSession {
  readonly id: string
  readonly method: Method
  readonly ip_address: string | null
  readonly user_agent: string | null
  readonly created_at: string
  readonly last_used_at: string
  readonly expires_at: string
}

export async function listSessions({ db, clock }: Needs, user_id: string): Promise<OwnSession[]> {
  const now = clock.now()
  return db.query<OwnSession>(
    `SELECT id, method, ip_address, user_agent, created_at, last_used_at, expires_at FROM user_sessions
     WHERE user_id = $1 AND expires_at > $2 AND last_used_at > $3 ORDER BY last_used_at DESC`,
    [user_id, now, idleBefore(now)],
  )
}

export async function endSession(context: Context, user_id: string, id: string): Promise<void> {
  await context.db.query('DELETE FROM user_sessions WHERE user_id = $1 AND id = $2', [user_id, id])
  context.db.afterCommit('rights_changed')
}

/**
 * Ends the sessions of a user except `kept_id`, all unfinished sign-ins, and what is sent to browsers: one of them
 * may be that of a stranger. The console of the kept session subscribes its browser again at the next visit.
 */
export async function endOtherSessions(
  context: Context,
  user_id: string,
  kept_id: string | null,
): Promise<void> {
  await context.db.query('DELETE FROM user_sessions WHERE user_id = $1 AND id IS DISTINCT FROM $2', [
    user_id,
    kept_id,
  ])
  await forgetBrowsers(context.db, user_id)
  context.db.afterCommit('rights_changed')
}

/** Ends the unfinished sign-ins of a user, or of all, and what is sent to browsers. */
export async function forgetBrowsers(db: Database, user_id: string | null): Promise<void> {
  await db.query('DELETE FROM sign_in_steps WHERE $1::text IS NULL OR user_id = $1', [user_id])
  await db.query('DELETE FROM push_subscriptions WHERE $1::text IS NULL OR user_id = $1', [user_id])
  await db.query('DELETE FROM alarm_tokens WHERE $1::text IS NULL OR user_id = $1', [user_id])
}
