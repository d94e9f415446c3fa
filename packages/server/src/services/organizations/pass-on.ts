import { findBrand } from '../../mail/brand.ts'
import { languageOf, voiceOf } from '../../texts/language.ts'
import { deauthorizeApplication } from '../applications/authorizations.ts'
import { holdGrants } from '../applications/oauth-grants.ts'
import { sendLetterLater } from '../mail/letters.ts'
import type { Context, Work } from '../objects/context.ts'

/**
 * Passes what a leaving user authorized to the owners, with no more rights than the user had at the end. A
 * token without a user belongs to the organization. Returns the names of the applications.
 */
export async function passInstallationsOn(
  { db, caller }: Work,
  user_id: string,
  role: string,
): Promise<string[]> {
  const place = [caller.organization_id, user_id] as const
  await holdGrants(db, 'user_id', place)
  if (role === 'viewer') await narrow(db, place)
  for (const table of ['access_tokens', 'oauth_artifacts'] as const)
    await db.query(`UPDATE ${table} SET user_id = NULL WHERE organization_id = $1 AND user_id = $2`, place)
  const passed = await db.query<{ name: string }>(
    `UPDATE installations i SET granted_by = NULL FROM oauth_applications a
     WHERE i.organization_id = $1 AND i.granted_by = $2 AND a.id = i.oauth_application_id RETURNING a.name`,
    place,
  )
  db.afterCommit('rights_changed')
  return passed.map(({ name }) => name)
}

/** Ends what a user authorized. An application continues if others have authorized it too. */
export async function endInstallations(work: Work, user_id: string): Promise<string[]> {
  const { db, caller, now } = work
  const place = [caller.organization_id, user_id] as const
  await holdGrants(db, 'user_id', place)
  await db.query(
    'UPDATE access_tokens SET revoked_at = $3 WHERE organization_id = $1 AND user_id = $2 AND revoked_at IS NULL',
    [...place, now],
  )
  await db.query('DELETE FROM oauth_artifacts WHERE organization_id = $1 AND user_id = $2', place)
  const left = await db.query<{ oauth_application_id: string; has_others: boolean }>(
    `UPDATE installations i SET granted_by = NULL WHERE i.organization_id = $1 AND i.granted_by = $2 RETURNING i.oauth_application_id,
       EXISTS (SELECT 1 FROM oauth_artifacts g WHERE g.kind = 'Grant' AND g.organization_id = i.organization_id
         AND g.oauth_application_id = i.oauth_application_id) AS has_others`,
    place,
  )
  db.afterCommit('rights_changed')
  for (const { oauth_application_id, has_others } of left)
    if (!has_others) await deauthorizeApplication(work, oauth_application_id)
  return []
}

async function narrow(db: Work['db'], place: readonly string[]): Promise<void> {
  await db.query(
    `UPDATE access_tokens SET scopes = array_remove(array_remove(array_replace(array_replace(scopes, 'full_read_write', 'full_read_only'),
       'members', 'members:read'), 'devices'), 'actions')
     WHERE organization_id = $1 AND user_id = $2`,
    place,
  )
  db.afterCommit('rights_changed')
  await db.query(
    `UPDATE oauth_artifacts SET payload = replace(payload::text, 'full_read_write', 'full_read_only')::jsonb
     WHERE organization_id = $1 AND user_id = $2 AND payload::text LIKE '%full_read_write%'`,
    place,
  )
  // Which words of a payload are scopes is the engine's business, and these are words like others.
  await db.query(
    `DELETE FROM oauth_artifacts WHERE organization_id = $1 AND user_id = $2 AND payload::text ~ '\\y(members|devices|actions)\\y(?!:read)'`,
    place,
  )
}

/** Notifies the owners of the applications that now run on their behalf. */
export async function tellOwners(
  context: Context,
  organization_id: string,
  applications: readonly string[],
): Promise<void> {
  if (applications.length === 0) return
  const owners = await context.db.query<{ email: string; language: string | null }>(
    `SELECT u.email, coalesce(u.notification_settings->>'language', u.language) AS language FROM organization_users m JOIN users u ON u.id = m.user_id
     WHERE m.organization_id = $1 AND m.role = 'owner'`,
    [organization_id],
  )
  const brand = await findBrand(context.db, organization_id)
  for (const { email, language } of owners)
    for (const application of applications) {
      const gaps = { application, organization: brand.name }
      sendLetterLater(context, voiceOf(languageOf(language)), email, 'passed', gaps, brand)
    }
}
