import { addSeconds, epochMilliseconds } from '@gatehouse-access/core'
import type { Adapter } from 'oidc-provider'
import type { Context } from '../services/objects/context.ts'
import { digest } from '../vault/vault.ts'
import { formatAccount } from './account.ts'
import { currentWrites } from './token-writes.ts'

type Needs = Pick<Context, 'db' | 'clock'>

interface TokenRow {
  readonly organization_id: string
  readonly oauth_application_id: string
  readonly user_id: string | null
  readonly scopes: readonly string[]
  readonly grant_id: string | null
  readonly created_at: string
  readonly expires_at: string
}

/** The engine's access tokens are those of the API: same table, same lookup. */
export function accessTokensOf({ db, clock }: Needs): Adapter {
  return {
    async upsert(id, payload, expires_in = 0) {
      currentWrites().access = { id, payload, expires_at: addSeconds(clock.now(), expires_in) }
    },
    async find(id) {
      const [row] = await db.query<TokenRow>(
        `SELECT organization_id, oauth_application_id, user_id, scopes, grant_id, created_at, expires_at FROM access_tokens
         WHERE token_hash = $1 AND revoked_at IS NULL`,
        [digest(id)],
      )
      return row && describe(id, row, clock.now())
    },
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
    consume: async () => undefined,
    async destroy(id) {
      await db.query('UPDATE access_tokens SET revoked_at = $2 WHERE token_hash = $1', [
        digest(id),
        clock.now(),
      ])
      db.afterCommit('rights_changed')
    },
    async revokeByGrantId(grant_id) {
      // Deletes the grant first: this waits for a concurrent exchange, whose token is then revoked too.
      await db.query(`DELETE FROM oauth_artifacts WHERE kind = 'Grant' AND id_hash = $1`, [digest(grant_id)])
      await db.query('UPDATE access_tokens SET revoked_at = $2 WHERE grant_id = $1 AND revoked_at IS NULL', [
        grant_id,
        clock.now(),
      ])
      db.afterCommit('rights_changed')
    },
  }
}

function describe(id: string, row: TokenRow, now: string) {
  const shift = Date.now() - epochMilliseconds(now)
  const seconds = (at: string) => Math.floor((epochMilliseconds(at) + shift) / 1000)
  return {
    kind: 'AccessToken',
    jti: id,
    clientId: row.oauth_application_id,
    accountId: formatAccount({
      user_id: row.user_id ?? 'organization',
      organization_id: row.organization_id,
    }),
    grantId: row.grant_id ?? '',
    scope: row.scopes.join(' '),
    iat: seconds(row.created_at),
    exp: seconds(row.expires_at),
  }
}
