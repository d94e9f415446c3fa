import type { Context } from '../context.ts'
import { digest } from '../vault.ts'

/** What an access token stands for. */
export interface Grant {
  readonly organization_id: string
  readonly oauth_application_id: string
  readonly user_id: string | null
  readonly scopes: readonly string[]
  readonly features: { readonly whitelabel: boolean }
  readonly expires_at: string
}

const freshness = 1000
const capacity = 10_000

const living = `access_tokens t JOIN organizations o ON o.id = t.organization_id
  JOIN oauth_applications a ON a.id = t.oauth_application_id
  WHERE t.revoked_at IS NULL AND NOT o.is_deleted AND NOT a.is_deleted`

/** Finds what a token stands for: one indexed read, kept at most a second, so that a revocation is seen within it. */
export class TokenCache {
  #known = new Map<string, { grant: Grant | undefined; until: number }>()
  #context: Pick<Context, 'db' | 'clock'>

  constructor(context: Pick<Context, 'db' | 'clock'>) {
    this.#context = context
  }

  find(token: string): Promise<Grant | undefined> {
    return this.findByHash(digest(token))
  }

  async findByHash(hash: Buffer): Promise<Grant | undefined> {
    const key = hash.toString('base64')
    const held = this.#known.get(key)
    const grant = held && held.until > performance.now() ? held.grant : await this.#load(key, hash)
    return grant && grant.expires_at > this.#context.clock.now() ? grant : undefined
  }

  /** Those of the tokens that hold at this moment, as hexadecimal hashes; never from memory. */
  async findLiving(hashes: readonly Buffer[]): Promise<Set<string>> {
    const rows = await this.#context.db.query<{ token_hash: Buffer }>(
      `SELECT t.token_hash FROM ${living} AND t.expires_at > $2
       AND t.token_hash IN (SELECT decode(hash, 'hex') FROM unnest($1::text[]) AS hash)`,
      [hashes.map(hash => hash.toString('hex')), this.#context.clock.now()],
    )
    return new Set(rows.map(({ token_hash }) => Buffer.from(token_hash).toString('hex')))
  }

  async #load(key: string, hash: Buffer): Promise<Grant | undefined> {
    const [grant] = await this.#context.db.query<Grant>(
      `SELECT t.organization_id, t.oauth_application_id, t.user_id, t.scopes, t.expires_at, o.features
       FROM ${living} AND t.token_hash = $1`,
      [hash],
    )
    if (this.#known.size >= capacity) this.#known.clear()
    this.#known.set(key, { grant, until: performance.now() + freshness })
    return grant
  }

  clear(): void {
    this.#known.clear()
  }
}
