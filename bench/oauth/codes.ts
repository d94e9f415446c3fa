import { createHash, randomBytes } from 'node:crypto'
import type { Pool } from '../../packages/server/src/index.ts'
import type { Tenant } from '../tenant.ts'

export const redirect_uri = 'https://client.example/callback'
export const secret = 'ghx_bench'
const user_id = 'usr_00000000000000000000'

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Prepares the tenant's application for the OAuth flow, and creates a user who authorizes it. */
export async function prepare(db: Pool, { organization_id, oauth_application_id }: Tenant): Promise<void> {
  await db.query('UPDATE oauth_applications SET secret_hash = $2, redirect_uris = $3 WHERE id = $1', [
    oauth_application_id,
    digest(secret),
    [redirect_uri],
  ])
  await db.query(
    `INSERT INTO users (id, name, email, email_key, created_at) VALUES ($1, 'Bench', 'bench@example.com', 'bench@example.com', now())`,
    [user_id],
  )
  await db.query(
    `INSERT INTO organization_users (organization_id, user_id, role, created_at) VALUES ($1, $2, 'owner', now())`,
    [organization_id, user_id],
  )
}

/** Creates codes as the consent page does, each with its grant. */
export async function makeCodes(db: Pool, tenant: Tenant, count: number): Promise<string[]> {
  const codes = Array.from({ length: count }, () => randomBytes(32).toString('base64url'))
  const { organization_id, oauth_application_id } = tenant
  const accountId = `${user_id}.${organization_id}`
  const scope = 'full_read_write offline'
  const rows = codes.flatMap(code => {
    const grantId = code.slice(0, 20)
    const shared = { clientId: oauth_application_id, accountId, iat: Math.floor(Date.now() / 1000) }
    return [
      {
        kind: 'Grant',
        id: grantId,
        grant_id: null,
        payload: { ...shared, kind: 'Grant', openid: { scope } },
      },
      {
        kind: 'AuthorizationCode',
        id: code,
        grant_id: grantId,
        payload: { ...shared, kind: 'AuthorizationCode', grantId, scope, redirectUri: redirect_uri },
      },
    ]
  })
  await db.query(
    `INSERT INTO oauth_artifacts (kind, id_hash, grant_id, organization_id, oauth_application_id, user_id, payload, expires_at)
     SELECT kind, sha256(convert_to(id, 'UTF8')), grant_id, $2, $3, $4, payload, now() + interval '10 minutes'
     FROM jsonb_to_recordset($1::jsonb) AS r(kind text, id text, grant_id text, payload jsonb)`,
    [rows, organization_id, oauth_application_id, user_id],
  )
  return codes
}
