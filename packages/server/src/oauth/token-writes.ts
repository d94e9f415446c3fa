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

/** What one request to the token endpoint will write: gathered while the engine works, written all or nothing. */
export interface TokenWrites {
  consumed?: { readonly kind: string; readonly id: string }
  access?: Saved
  refresh?: Saved
}

/** The writes of the request under way. */
export function currentWrites(): TokenWrites {
  const writes = Provider.ctx?.state.writes as TokenWrites | undefined
  if (!writes) throw new Error('tokens are given by the token endpoint only')
  return writes
}

/** What became of the writes of one request. */
export type Outcome = 'stored' | 'used_before' | 'not_installed'
export type StoreWrites = (writes: TokenWrites, answer: object) => Promise<Outcome>

/** Stores what requests of the same moment give together, by `give_tokens` in the database. */
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

/** Grants are held by their digests, as whoever takes many back does, so that no two statements wait for each other. */
function inOrderOfGrants(all: readonly GivenTokens[]): GivenTokens[] {
  if (all.length === 1) return [...all]
  const places = new Map(all.map(given => [given, digest(given.grant_id).toString('hex')]))
  return all.toSorted((a, b) => ((places.get(a) ?? '') < (places.get(b) ?? '') ? -1 : 1))
}

/** A used refresh token keeps the answer it got, for the case that the answer is lost on its way. */
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
