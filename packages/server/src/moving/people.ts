import { addSeconds } from '@gatehouse-access/core'
import type { Database } from '../database/db.ts'
import { newId } from '../store/ids.ts'
import type { About, MovedApplication, MovedUser } from './about.ts'

/** A user of the organization, and what became of it. */
export interface ArrivedUser extends MovedUser {
  readonly how: 'user' | 'invited'
}

const lifetime = 14 * 24 * 3600

/**
 * Gives those their role who have an account here with the same verified address. The others are invited: an
 * address that nobody has shown to be theirs gives no rights. Sends no mail.
 */
export async function addUsers(db: Database, about: About, now: string): Promise<ArrivedUser[]> {
  const { id } = about.organization
  const given = about.users.map(({ email, role }) => ({ email_key: email.toLowerCase(), role }))
  const rows = await db.query<{ email_key: string }>(
    `WITH added AS (
       INSERT INTO organization_users (organization_id, user_id, role, created_at)
       SELECT $1::text, u.id, g.role, $3::timestamptz FROM jsonb_to_recordset($2::jsonb) AS g(email_key text, role text)
       JOIN users u ON u.email_key = g.email_key AND u.email_verified_at IS NOT NULL AND u.deleted_at IS NULL RETURNING user_id)
     SELECT u.email_key FROM added JOIN users u ON u.id = added.user_id`,
    [id, given, now],
  )
  const here = new Set(rows.map(({ email_key }) => email_key))
  const invited = about.users.filter(({ email }) => !here.has(email.toLowerCase()))
  for (const { email, role } of invited)
    await db.query(
      `INSERT INTO invitations (id, organization_id, email, email_key, role, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (organization_id, email_key) DO NOTHING`,
      [newId('invitation', now), id, email, email.toLowerCase(), role, now, addSeconds(now, lifetime)],
    )
  return about.users.map(user => ({ ...user, how: here.has(user.email.toLowerCase()) ? 'user' : 'invited' }))
}

/** An application of the organization, and what became of it. */
export interface ArrivedApplication {
  readonly id: string
  readonly name: string
  readonly how: 'moved' | 'known' | 'not_moved'
}

/**
 * An application that acts for this organization alone moves with its secret, and asks for new tokens here. Of one
 * that acts for others too only the name arrives, which its webhooks need: nobody can act with it.
 */
export async function addApplications(
  db: Database,
  { applications, organization }: About,
): Promise<ArrivedApplication[]> {
  const arrived: ArrivedApplication[] = []
  for (const application of applications) {
    const isNew = await addApplication(db, application)
    const how = !isNew ? 'known' : application.is_own ? 'moved' : 'not_moved'
    if (how !== 'not_moved') await install(db, organization.id, application)
    arrived.push({ id: application.id, name: application.name, how })
  }
  return arrived
}

async function addApplication(db: Database, application: MovedApplication): Promise<boolean> {
  const { id, name, is_own, is_deleted, is_public, requires_pkce, created_at, developer } = application
  const rows = await db.query(
    `INSERT INTO oauth_applications (id, name, secret_hash, redirect_uris, is_deleted, is_public, requires_pkce, created_at, developer_id)
     VALUES ($1, $2, decode($3, 'hex'), $4, $5, $6, $7, $8,
       (SELECT u.id FROM users u WHERE u.email_key = $9 AND u.email_verified_at IS NOT NULL AND u.deleted_at IS NULL))
     ON CONFLICT (id) DO NOTHING RETURNING 1`,
    [
      ...[id, name, is_own ? application.secret_hash : null, is_own ? application.redirect_uris : []],
      ...[
        is_deleted,
        is_public,
        requires_pkce,
        created_at,
        is_own ? (developer?.toLowerCase() ?? null) : null,
      ],
    ],
  )
  return rows.length > 0
}

async function install(
  db: Database,
  organization_id: string,
  { id, scopes, installed_at }: MovedApplication,
): Promise<void> {
  if (scopes === null) return
  await db.query(
    'INSERT INTO installations (organization_id, oauth_application_id, scopes, created_at) VALUES ($1, $2, $3, $4)',
    [organization_id, id, scopes, installed_at],
  )
}
