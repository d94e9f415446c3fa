import { addSeconds, epochMilliseconds } from '@gatehouse-access/core'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { Context } from '../services/objects/context.ts'
import { digest } from '../vault/vault.ts'
import { parseAccount } from './account.ts'

export type Needs = Pick<Context, 'db' | 'clock'>

/** Stores interactions, grants and codes in PostgreSQL. Stores only digests of ids, which may be secrets. */
export function artifactsOf(kind: string, { db, clock }: Needs): Adapter {
  return {
    async find(id) {
      const [row] = await db.query<{ payload: AdapterPayload; expires_at: string }>(
        'SELECT payload, expires_at FROM oauth_artifacts WHERE kind = $1 AND id_hash = $2',
        [kind, digest(id)],
      )
      return row && restore(id, row.payload, row.expires_at, clock.now())
    },
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
    async upsert(id, { jti: _, ...payload }, expires_in = 0) {
      const account = parseAccount(payload.accountId)
      await db.query(
        `INSERT INTO oauth_artifacts (kind, id_hash, grant_id, organization_id, oauth_application_id, user_id, payload, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (kind, id_hash) DO UPDATE SET payload = excluded.payload, expires_at = excluded.expires_at`,
        [
          kind,
          digest(id),
          payload.grantId ?? null,
          account?.organization_id ?? null,
          payload.clientId ?? null,
          account?.user_id ?? null,
          payload,
          addSeconds(clock.now(), expires_in),
        ],
      )
    },
    consume: async () => undefined,
    async destroy(id) {
      await db.query('DELETE FROM oauth_artifacts WHERE kind = $1 AND id_hash = $2', [kind, digest(id)])
    },
    async revokeByGrantId(grant_id) {
      await db.query('DELETE FROM oauth_artifacts WHERE kind = $1 AND grant_id = $2', [kind, grant_id])
    },
  }
}

/** The engine uses the system clock, but the service's clock decides, so the expiry is shifted. */
export function restore(
  id: string,
  payload: AdapterPayload,
  expires_at: string,
  now: string,
): AdapterPayload {
  const left = Math.ceil((epochMilliseconds(expires_at) - epochMilliseconds(now)) / 1000)
  return { ...payload, jti: id, exp: Math.floor(Date.now() / 1000) + left }
}
