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

/** Finds what a token stands for: one indexed read, kept at most a second, so that a revocation is seen within it. */
export class TokenCache {
  #known = new Map<string, { grant: Grant | undefined; until: number }>()
  #context: Pick<Context, 'db' | 'clock'>

  constructor(context: Pick<Context, 'db' | 'clock'>) {
    this.#context = context
  }

  async find(token: string): Promise<Grant | undefined> {
    const held = this.#known.get(token)
    const grant = held && held.until > performance.now() ? held.grant : await this.#load(token)
    return grant && grant.expires_at > this.#context.clock.now() ? grant : undefined
  }

  async #load(token: string): Promise<Grant | undefined> {
    const [grant] = await this.#context.db.query<Grant>(
      `SELECT t.organization_id, t.oauth_application_id, t.user_id, t.scopes, t.expires_at, o.features
       FROM access_tokens t JOIN organizations o ON o.id = t.organization_id JOIN oauth_applications a ON a.id = t.oauth_application_id
       WHERE t.token_hash = $1 AND t.revoked_at IS NULL AND NOT o.is_deleted AND NOT a.is_deleted`,
      [digest(token)],
    )
    if (this.#known.size >= capacity) this.#known.clear()
    this.#known.set(token, { grant, until: performance.now() + freshness })
    return grant
  }

  clear(): void {
    this.#known.clear()
  }
}
