import type { Database } from '../database/db.ts'
import { languageOf, type Voice, voiceOf } from '../texts/language.ts'

/** The language that the user of an address has chosen or last signed in with, or else that of `other`. */
export async function voiceOfAddress(db: Database, email: string, other: Voice): Promise<Voice> {
  const [user] = await db.query<{ language: string | null }>(
    "SELECT coalesce(notification_settings->>'language', language) AS language FROM users WHERE email_key = $1 AND deleted_at IS NULL",
    [email.toLowerCase()],
  )
  return user?.language ? voiceOf(languageOf(user.language)) : other
}
