import { randomBytes } from 'node:crypto'
import { createApplication, defaultQuotas, type Pool, systemClock } from '@gatehouse-access/server'
import { addToOrganization, createUser } from '../../packages/server/src/services/accounts/users.ts'
import { digest } from '../../packages/server/src/vault/vault.ts'
import type { Copies } from './copies.ts'

export interface LargeAccount {
  /** The cookie of a browser in which an owner is signed in. */
  readonly cookie: string
  readonly application_id: string
}

/** Creates the maximum number of users, invitations and applications, and an owner who lists them. */
export async function growAccount(db: Pool, copies: Copies, organization_id: string): Promise<LargeAccount> {
  const context = { clock: systemClock, db } as never
  const email = `owner-${randomBytes(6).toString('hex')}@example.com`
  const user_id = await createUser(context, db, email, 'Owner', randomBytes(18).toString('hex'))
  await addToOrganization(context, db, organization_id, user_id, 'owner')
  const addressed = (name: string) => (index: number) => {
    const address = `${name}-${index}-${email}`
    return { email: address, email_key: address }
  }
  const users = await copies.of('users', user_id, 'usr', defaultQuotas.user - 1, addressed('user'))
  await db.query(
    `INSERT INTO organization_users (organization_id, user_id, role, created_at) SELECT $1, id, 'viewer', now() FROM unnest($2::text[]) AS id`,
    [organization_id, users],
  )
  await db.query(
    `INSERT INTO invitations (id, organization_id, email, email_key, role, invited_by, created_at, expires_at)
     SELECT id, $1, id || '@example.com', id || '@example.com', 'viewer', $2, now(), now() + interval '1 day' FROM unnest($3::text[]) AS id`,
    [organization_id, user_id, copies.ids('inv', defaultQuotas.invitation)],
  )
  const application_id = await growApplications(db, copies, organization_id, user_id)
  return { cookie: `gatehouse_session=${await signIn(db, user_id)}`, application_id }
}

async function growApplications(db: Pool, copies: Copies, organization_id: string, user_id: string) {
  const context = { clock: systemClock, db } as never
  const application_id = await createApplication(context, db, 'Large application')
  await db.query(
    `UPDATE oauth_applications SET developer_id = $2, redirect_uris =
       (SELECT array_agg('https://example.com/' || n || repeat('x', 2000)) FROM generate_series(1, 50) AS n) WHERE id = $1`,
    [application_id, user_id],
  )
  const ids = await copies.of(
    'oauth_applications',
    application_id,
    'app',
    defaultQuotas['user.oauth_application'] - 1,
  )
  await db.query(
    `INSERT INTO installations (organization_id, oauth_application_id, scopes, granted_by, created_at)
     SELECT $1, id, '{full_read_only}', $2, now() FROM unnest($3::text[]) AS id`,
    [organization_id, user_id, [application_id, ...ids]],
  )
  return application_id
}

async function signIn(db: Pool, user_id: string): Promise<string> {
  const token = `ghs_${randomBytes(24).toString('base64url')}`
  await db.query(
    `INSERT INTO user_sessions (id, token_hash, user_id, method, ip_address, created_at, last_used_at, expires_at)
     VALUES ($1, $2, $3, 'password', '127.0.0.1', now(), now(), now() + interval '1 day')`,
    [`ses_${randomBytes(10).toString('hex')}`, digest(token), user_id],
  )
  return token
}
