import type { Context } from '../context.ts'
import { voiceOf } from '../texts/language.ts'
import type { Work } from './behaviour.ts'
import { sendLetterLater } from './letters.ts'
import { holdGrants } from './oauth-grants.ts'

/**
 * What a leaving user had authorized passes to the owners, with no more rights than the user had at the end: a token
 * without a user belongs to the organization. Answers the names of the applications.
 */
export async function passInstallationsOn(
  { db, caller }: Work,
  user_id: string,
  role: string,
): Promise<string[]> {
  const place = [caller.organization_id, user_id] as const
  await holdGrants(db, 'user_id', place)
  if (role === 'viewer') await narrow(db, place)
  await db.query('UPDATE access_tokens SET user_id = NULL WHERE organization_id = $1 AND user_id = $2', place)
  const passed = await db.query<{ name: string }>(
    `UPDATE installations i SET granted_by = NULL FROM oauth_applications a
     WHERE i.organization_id = $1 AND i.granted_by = $2 AND a.id = i.oauth_application_id RETURNING a.name`,
    place,
  )
  return passed.map(({ name }) => name)
}

async function narrow(db: Work['db'], place: readonly string[]): Promise<void> {
  await db.query(
    `UPDATE access_tokens SET scopes = array_replace(scopes, 'full_read_write', 'full_read_only')
     WHERE organization_id = $1 AND user_id = $2`,
    place,
  )
  await db.query(
    `UPDATE oauth_artifacts SET payload = replace(payload::text, 'full_read_write', 'full_read_only')::jsonb
     WHERE organization_id = $1 AND user_id = $2 AND payload::text LIKE '%full_read_write%'`,
    place,
  )
}

/** Tells the owners which applications now run in their name. */
export async function tellOwners(
  context: Context,
  organization_id: string,
  applications: readonly string[],
): Promise<void> {
  if (applications.length === 0) return
  const owners = await context.db.query<{ email: string; organization: string }>(
    `SELECT u.email, o.name AS organization FROM organization_users m JOIN users u ON u.id = m.user_id
     JOIN organizations o ON o.id = m.organization_id WHERE m.organization_id = $1 AND m.role = 'owner'`,
    [organization_id],
  )
  for (const { email, organization } of owners)
    for (const application of applications)
      sendLetterLater(context, voiceOf('en'), email, 'passed', { application, organization })
}
