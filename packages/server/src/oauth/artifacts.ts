import { addSeconds, epochMilliseconds } from '@gatehouse/core'
import { type Adapter, type AdapterPayload, errors, Provider } from 'oidc-provider'
import type { Context } from '../context.ts'
import { digest } from '../vault.ts'
import { parseAccount } from './account.ts'

export type Part = Pick<Context, 'db' | 'clock'>

interface Stored {
  readonly payload: AdapterPayload
  readonly consumed_at: string | null
  readonly expires_at: string
  readonly successor_consumed: boolean | null
}

const repeatable = 30

/** Codes, refresh tokens, grants and interactions in PostgreSQL. An id may be a secret, so only its digest is kept. */
export function artifactsOf(kind: string, { db, clock }: Part): Adapter {
  const find = async (id: string): Promise<AdapterPayload | undefined> => {
    const [row] = await db.query<Stored>(
      `SELECT a.payload, a.consumed_at, a.expires_at, s.consumed_at IS NOT NULL AS successor_consumed FROM oauth_artifacts a
       LEFT JOIN oauth_artifacts s ON s.kind = a.kind AND s.id_hash = a.successor_hash WHERE a.kind = $1 AND a.id_hash = $2`,
      [kind, digest(id)],
    )
    if (!row || (kind === 'RefreshToken' && isRepeat(row, clock.now()))) return undefined
    return restore(id, row, clock.now())
  }
  return {
    find,
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
    /** Of any number of requests at once, one consumes; the others are told that it is used. */
    async consume(id) {
      const rows = await db.query(
        'UPDATE oauth_artifacts SET consumed_at = $3 WHERE kind = $1 AND id_hash = $2 AND consumed_at IS NULL RETURNING kind',
        [kind, digest(id), clock.now()],
      )
      if (rows.length > 0) return
      if (kind === 'RefreshToken') markRepeat()
      throw new errors.InvalidGrant(`${kind} already consumed`)
    },
    async destroy(id) {
      await db.query('DELETE FROM oauth_artifacts WHERE kind = $1 AND id_hash = $2', [kind, digest(id)])
    },
    async revokeByGrantId(grant_id) {
      await db.query('DELETE FROM oauth_artifacts WHERE kind = $1 AND grant_id = $2', [kind, grant_id])
    },
  }
}

/**
 * The immediate predecessor within 30 s is a lost answer: the engine is told that there is no such token, and the token
 * endpoint gives the same answer again. Anything else that was used before is left to the engine, which revokes the family.
 */
function isRepeat({ consumed_at, successor_consumed }: Stored, now: string): boolean {
  if (consumed_at === null || successor_consumed || addSeconds(consumed_at, repeatable) < now) return false
  markRepeat()
  return true
}

function markRepeat(): void {
  const { ctx } = Provider
  if (ctx) ctx.state.is_repeat = true
}

/** The engine compares with the clock of the machine; the service's own clock decides, so the end is moved to it. */
function restore(id: string, { payload, consumed_at, expires_at }: Stored, now: string): AdapterPayload {
  const left = Math.ceil((epochMilliseconds(expires_at) - epochMilliseconds(now)) / 1000)
  const exp = Math.floor(Date.now() / 1000) + left
  return { ...payload, jti: id, exp, ...(consumed_at && { consumed: true }) }
}
