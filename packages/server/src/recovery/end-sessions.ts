import type { Database } from '../database/db.ts'

/** Everything that lets somebody in without proving anew who it is. */
const tables = [
  'user_sessions',
  'sign_in_steps',
  'member_sessions',
  'member_tickets',
  'stream_tickets',
  'mail_codes',
  'passkey_challenges',
  'oauth_artifacts',
] as const

/** Ends all sessions, tickets, codes, access and refresh tokens: any of them may have ended since the backup. */
export async function endSessions(db: Database, now: string): Promise<void> {
  for (const table of tables) await db.query(`DELETE FROM ${table}`)
  await db.query('UPDATE access_tokens SET revoked_at = $1 WHERE revoked_at IS NULL', [now])
  db.afterCommit('rights_changed')
}
