import { type AdapterPayload, Provider } from 'oidc-provider'
import { gather } from '../flow/gather.ts'
import { present } from '../flow/present.ts'
import type { Context } from '../services/objects/context.ts'
import { digest } from '../vault/vault.ts'
import { parseAccount } from './account.ts'
import { seal } from './repeats.ts'

interface Saved {
  readonly id: string
  readonly payload: AdapterPayload
  readonly expires_at: string
}

/** The writes of one token request. Collected while the engine runs, then written all or nothing. */
export interface TokenWrites {
  consumed?: { readonly kind: string; readonly id: string }
  access?: Saved
  refresh?: Saved
}

/** Returns the writes of the current request. */
export function currentWrites(): TokenWrites {
  const writes = Provider.ctx?.state.writes as TokenWrites | undefined
  if (!writes) throw new Error('tokens are given by the token endpoint only')
  return writes
}

/** The outcome of one request's writes. */
export type Outcome = 'stored' | 'used_before' | 'not_installed'
export type StoreWrites = (writes: TokenWrites, answer: object) => Promise<Outcome>

/** Stores the tokens of concurrent requests in one batch, through `give_tokens` in the database. */
export function openTokenStore({ db, clock }: Pick<Context, 'db' | 'clock'>): StoreWrites {
  const storeAll = async (all: readonly GivenTokens[]) => {
    const inOrder = inOrderOfGrants(all)
    const rows = await db.query<{ outcome: Outcome }>('SELECT give_tokens($1::jsonb) AS outcome', [inOrder])
    const outcomes = new Map(inOrder.map((given, index) => [given, rows[index]?.outcome]))
    return all.map(given => present(outcomes.get(given), 'an outcome'))
  }
  const store = gather(storeAll, { lanes: 2, most: 50 })
  return (writes, answer) => store(describe(writes, answer, clock.now()))
}

type GivenTokens = ReturnType<typeof describe>

/** Sorts by grant digest, the order in which bulk revocation also locks grants, to prevent deadlocks. */
function inOrderOfGrants(all: readonly GivenTokens[]): GivenTokens[] {
  if (all.length === 1) return [...all]
  const places = new Map(all.map(given => [given, digest(given.grant_id).toString('hex')]))
  return all.toSorted((a, b) => ((places.get(a) ?? '') < (places.get(b) ?? '') ? -1 : 1))
}

/** A used refresh token keeps its answer, in case the answer is lost in transit. */
function describe({ consumed, access, refresh }: TokenWrites, answer: object, now: string) {
  const account = parseAccount(access?.payload.accountId)
  if (!consumed || !access || !account) throw new Error('a token was given for nothing or to nobody')
  const { jti: _, ...refresh_payload } = refresh?.payload ?? {}
  const is_refresh = consumed.kind === 'RefreshToken'
  return {
    organization_id: account.organization_id,
    oauth_application_id: access.payload.clientId ?? '',
    grant_id: access.payload.grantId ?? '',
    now,
    kind: consumed.kind,
    used: digest(consumed.id).toString('hex'),
    answer: is_refresh ? seal(consumed.id, JSON.stringify(answer)).toString('base64') : null,
    access: digest(access.id).toString('hex'),
    scopes: access.payload.scope ?? '',
    access_expires_at: access.expires_at,
    ...(refresh && {
      refresh: digest(refresh.id).toString('hex'),
      refresh_payload,
      refresh_expires_at: refresh.expires_at,
    }),
  }
}
