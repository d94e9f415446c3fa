import { addSeconds } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import { digest, newSecret } from '../../vault/vault.ts'
import type { Context } from '../objects/context.ts'

const lifetime = 3600

interface TokenRequest {
  readonly organization_id: string
  readonly oauth_application_id: string
  readonly user_id?: string
  readonly scopes: readonly string[]
}

/** Issues an access token for one organization, one application and its scopes. It is valid for an hour. */
export async function issueAccessToken(
  { db, clock }: Pick<Context, 'clock'> & { readonly db: Database },
  request: TokenRequest,
): Promise<string> {
  const token = newSecret('gha')
  const now = clock.now()
  await db.query(
    `INSERT INTO access_tokens (token_hash, organization_id, oauth_application_id, user_id, scopes, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      digest(token),
      request.organization_id,
      request.oauth_application_id,
      request.user_id ?? null,
      request.scopes,
      now,
      addSeconds(now, lifetime),
    ],
  )
  return token
}
