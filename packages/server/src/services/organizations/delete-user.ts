import { RequestError } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'
import type { Caller } from '../../store/caller.ts'
import type { Voice } from '../../texts/language.ts'
import type { Session } from '../accounts/sessions.ts'
import { sendLetterLater } from '../mail/letters.ts'
import type { Context } from '../objects/context.ts'
import type { Role } from '../roles/roles.ts'
import { removeUser } from './organization-users.ts'
import { tellOwners } from './pass-on.ts'

/** What prevents deleting an account: organizations without another owner, and the user's applications. */
interface Ties {
  readonly organizations: readonly { readonly id: string; readonly name: string }[]
  readonly applications: readonly string[]
}

export async function findTies(db: Database, user_id: string): Promise<Ties> {
  const organizations = await db.query<{ id: string; name: string }>(
    `SELECT o.id, o.name FROM organization_users m JOIN organizations o ON o.id = m.organization_id
     WHERE m.user_id = $1 AND m.role = 'owner' AND NOT o.is_deleted AND NOT EXISTS (SELECT 1 FROM organization_users x
       WHERE x.organization_id = m.organization_id AND x.user_id <> $1 AND x.role = 'owner') ORDER BY lower(o.name), o.id`,
    [user_id],
  )
  const applications = await db.query<{ name: string }>(
    'SELECT name FROM oauth_applications WHERE developer_id = $1 AND key_of IS NULL AND NOT is_deleted ORDER BY lower(name), id',
    [user_id],
  )
  return { organizations, applications: applications.map(({ name }) => name) }
}

/**
 * Removes the user from every organization, with an event in each, and deletes all sign-in data. The row
 * stays without name and address, because events refer to it.
 */
export async function deleteUser(
  context: Context,
  voice: Voice,
  session: Session,
  callerIn: (organization_id: string) => Caller,
): Promise<void> {
  const left = await context.db.transaction(async db => {
    const ties = await findTies(db, session.user_id)
    if (ties.organizations.length + ties.applications.length > 0) throw tied(ties)
    const organizations = await leaveAll(context, db, session.user_id, callerIn)
    await erase(db, session.user_id, context.clock.now())
    return organizations
  })
  for (const { organization_id, passed } of left) await tellOwners(context, organization_id, passed)
  sendLetterLater(context, voice, session.email, 'deleted', {})
}

async function leaveAll(
  context: Context,
  db: Database,
  user_id: string,
  callerIn: (organization_id: string) => Caller,
) {
  const memberships = await db.query<{ organization_id: string; role: Role }>(
    'SELECT organization_id, role FROM organization_users WHERE user_id = $1 ORDER BY organization_id',
    [user_id],
  )
  const left = []
  for (const { organization_id, role } of memberships) {
    const work = { context, db, caller: callerIn(organization_id), now: context.clock.now() }
    left.push({ organization_id, ...(await removeUser(work, role, user_id)) })
  }
  return left
}

const tables = [
  'user_sessions',
  'passkeys',
  'passkey_challenges',
  'totp_keys',
  'recovery_codes',
  'sign_in_steps',
  'push_subscriptions',
  'alarm_tokens',
  'organization_users',
] as const

async function erase(db: Database, user_id: string, now: string): Promise<void> {
  for (const table of tables) await db.query(`DELETE FROM ${table} WHERE user_id = $1`, [user_id])
  // Codes for guests are not the account's. How many mails an address got is forgotten after an hour.
  await db.query(
    `DELETE FROM mail_codes c USING users u WHERE u.id = $1 AND c.email_key = u.email_key AND c.purpose <> 'guest'`,
    [user_id],
  )
  await db.query(
    `UPDATE users SET name = NULL, email = id || '@deleted.invalid', email_key = id || '@deleted.invalid', password_hash = NULL,
       email_verified_at = NULL, language = NULL, notification_settings = NULL, deleted_at = $2 WHERE id = $1`,
    [user_id, now],
  )
  db.afterCommit('rights_changed')
}

function tied({ organizations, applications }: Ties): RequestError {
  const reasons = [
    ...organizations.map(({ name }) => `you are the last owner of ${name}`),
    ...applications.map(name => `the application ${name} is yours`),
  ]
  return new RequestError('invalid_request', `the account cannot be deleted: ${reasons.join('; ')}`, {
    args: { reason: organizations.length > 0 ? 'last_owner' : 'has_applications' },
  })
}
