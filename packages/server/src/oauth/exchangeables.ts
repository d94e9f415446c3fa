import { addSeconds } from '@gatehouse-access/core'
import { type Adapter, type AdapterPayload, Provider } from 'oidc-provider'
import { gather } from '../flow/gather.ts'
import type { Context } from '../services/objects/context.ts'
import { digest } from '../vault/vault.ts'
import { parseAccount } from './account.ts'
import { artifactsOf, restore } from './artifacts.ts'
import { fillOmitted } from './redirect-uri.ts'
import { currentWrites } from './token-writes.ts'

interface ArtifactRow {
  readonly payload: AdapterPayload
  readonly consumed_at: string | null
  readonly expires_at: string
  readonly grant_payload: AdapterPayload | null
  readonly grant_expires_at: string | null
  readonly is_installed: boolean
  readonly successor_consumed: boolean
}

/** An unknown hash also yields a row, so that the rows match the hashes by position. */
type Nothing = { readonly [K in keyof ArtifactRow]: null }

type Needs = Pick<Context, 'db' | 'clock' | 'config'>

const repeatable = 30

/**
 * Stores codes and refresh tokens, which are exchanged for tokens. A lookup also loads what the engine needs
 * next: the grant, and whether the application is still installed. Consuming one, and the tokens issued for
 * it, are written later by the token store.
 */
export function exchangeablesOf(
  kind: 'AuthorizationCode' | 'RefreshToken' | 'DeviceCode',
  part: Needs,
): Adapter {
  const artifacts = artifactsOf(kind, part)
  const is_strict = part.config.hardening === 'strict'
  const lookUp = gather((hashes: readonly string[]) => lookUpAll(part, kind, hashes), { lanes: 2, most: 50 })
  return {
    ...artifacts,
    async find(id) {
      const row = await lookUp(digest(id).toString('hex'))
      const now = part.clock.now()
      if (!row || (kind === 'RefreshToken' && !is_strict && isRepeat(row, now))) return undefined
      remember(row, now)
      if (kind === 'AuthorizationCode') fillOmitted(row.payload)
      return { ...restore(id, row.payload, row.expires_at, now), ...(row.consumed_at && { consumed: true }) }
    },
    async upsert(id, payload, expires_in = 0) {
      if (kind === 'AuthorizationCode') return insertCode(part, id, payload, expires_in)
      currentWrites().refresh = { id, payload, expires_at: addSeconds(part.clock.now(), expires_in) }
    },
    async consume(id) {
      currentWrites().consumed = { kind, id }
    },
  }
}

/**
 * Inserts a code only if the application is installed. The row lock serializes this with a concurrent removal
 * of the installation, so that the removal sees every code.
 */
async function insertCode(
  { db, clock }: Needs,
  id: string,
  { jti: _, ...payload }: AdapterPayload,
  expires_in: number,
) {
  const account = parseAccount(payload.accountId)
  await db.query(
    `INSERT INTO oauth_artifacts (kind, id_hash, grant_id, organization_id, oauth_application_id, user_id, payload, expires_at)
     SELECT 'AuthorizationCode', $1, $2, i.organization_id, i.oauth_application_id, $5, $6::jsonb, $7::timestamptz
     FROM installations i WHERE i.organization_id = $3 AND i.oauth_application_id = $4 FOR SHARE`,
    [
      digest(id),
      payload.grantId,
      account?.organization_id,
      payload.clientId,
      account?.user_id,
      payload,
      addSeconds(clock.now(), expires_in),
    ],
  )
}

// The lateral join looks up each hash through the index, whatever number of hashes the planner expects.
const question = `SELECT found.* FROM unnest($2::text[]) WITH ORDINALITY AS asked (hash, place) LEFT JOIN LATERAL (
    SELECT a.payload, a.consumed_at, a.expires_at, s.consumed_at IS NOT NULL AS successor_consumed,
      g.payload AS grant_payload, g.expires_at AS grant_expires_at, EXISTS (SELECT 1 FROM installations i
        JOIN organizations o ON o.id = i.organization_id WHERE i.organization_id = a.organization_id
        AND i.oauth_application_id = a.oauth_application_id AND NOT o.is_deleted) AS is_installed
    FROM oauth_artifacts a LEFT JOIN oauth_artifacts s ON s.kind = a.kind AND s.id_hash = a.successor_hash
    LEFT JOIN oauth_artifacts g ON g.kind = 'Grant' AND g.id_hash = sha256(convert_to(a.grant_id, 'UTF8'))
    WHERE a.kind = $1 AND a.id_hash = decode(asked.hash, 'hex') OFFSET 0) AS found ON true ORDER BY asked.place`

async function lookUpAll(
  { db }: Needs,
  kind: string,
  hashes: readonly string[],
): Promise<(ArtifactRow | undefined)[]> {
  const rows = await db.query<ArtifactRow | Nothing>(question, [kind, hashes])
  return rows.map(row => (row.payload === null ? undefined : row))
}

/**
 * If the immediate predecessor is used again within 30 s, its answer was probably lost. The engine then finds
 * no such token, and the token endpoint repeats the answer. Any other reuse is left to the engine, which
 * revokes the family. With strict hardening, so is this one.
 */
function isRepeat({ consumed_at, successor_consumed }: ArtifactRow, now: string): boolean {
  if (consumed_at === null || successor_consumed || addSeconds(consumed_at, repeatable) < now) return false
  const { ctx } = Provider
  if (ctx) ctx.state.is_repeat = true
  return true
}

function remember(
  { payload, grant_payload, grant_expires_at, is_installed }: ArtifactRow,
  now: string,
): void {
  const { ctx } = Provider
  if (!ctx) return
  ctx.state.is_installed = is_installed
  if (grant_payload && grant_expires_at && payload.grantId)
    ctx.state.grant = restore(payload.grantId, grant_payload, grant_expires_at, now)
}
