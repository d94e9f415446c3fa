import { addSeconds } from '@gatehouse-access/core'
import { asRead } from '../../database/postgres/query.ts'
import { atOnce, type LookUp, ShortMemory } from '../../flow/short-memory.ts'
import { digest } from '../../vault/vault.ts'
import type { Context } from '../objects/context.ts'
import { limitScopes, ownRole, type Role } from '../roles/roles.ts'

/** The rights of an access token. */
export interface Grant {
  readonly organization_id: string
  readonly oauth_application_id: string
  readonly user_id: string | null
  readonly scopes: readonly string[]
  readonly features: { readonly whitelabel: boolean }
  readonly expires_at: string
}

interface TokenRow extends Grant {
  readonly role: Role | null
  readonly last_used_at: string | null
}

type Needs = Pick<Context, 'db' | 'clock' | 'revocations' | 'timers'>

const noticed = 60

/** The application must still be installed, and the granting user must still belong to the organization. */
export const living = `access_tokens t JOIN organizations o ON o.id = t.organization_id
  JOIN oauth_applications a ON a.id = t.oauth_application_id
  JOIN installations i ON i.organization_id = t.organization_id AND i.oauth_application_id = t.oauth_application_id
  LEFT JOIN organization_users m ON m.organization_id = t.organization_id AND m.user_id = t.user_id
  WHERE t.revoked_at IS NULL AND NOT o.is_deleted AND NOT a.is_deleted AND (t.user_id IS NULL OR m.user_id IS NOT NULL)`

/** Finds the grant of a token: one indexed read, cached for at most a second. */
export class TokenCache {
  #known: ShortMemory<Grant>
  #context: Needs

  constructor(context: Needs) {
    this.#context = context
    this.#known = new ShortMemory(context.revocations, context.timers)
  }

  /** Returns the grant from the cache, without waiting. */
  recall(token: string): Grant | undefined {
    return this.#unexpired(this.#known.recall(token))
  }

  find(token: string, lookUp: LookUp = atOnce): Promise<Grant | undefined> {
    return this.#find(token, () => digest(token), lookUp)
  }

  findByHash(hash: Buffer, lookUp: LookUp = atOnce): Promise<Grant | undefined> {
    return this.#find(`#${hash.toString('base64')}`, () => hash, lookUp)
  }

  async #find(key: string, hashOf: () => Buffer, lookUp: LookUp): Promise<Grant | undefined> {
    const load = () => lookUp(() => this.#load(hashOf()))
    return this.#unexpired(await this.#known.find(key, load))
  }

  #unexpired(grant: Grant | undefined): Grant | undefined {
    return grant && grant.expires_at > this.#context.clock.now() ? grant : undefined
  }

  /** Returns the hexadecimal hashes of the tokens that are valid now, never from the cache. */
  async findLiving(hashes: readonly Buffer[]): Promise<Set<string>> {
    const rows = await this.#context.db.query<{ token_hash: Buffer }>(
      `SELECT t.token_hash FROM ${living} AND t.expires_at > $2
       AND t.token_hash IN (SELECT decode(hash, 'hex') FROM unnest($1::text[]) AS hash)`,
      [hashes.map(hash => hash.toString('hex')), this.#context.clock.now()],
    )
    return new Set(rows.map(({ token_hash }) => Buffer.from(token_hash).toString('hex')))
  }

  /** Limits the rights to the granter's current ones. A token without a user is the organization's own. */
  async #load(hash: Buffer): Promise<Grant | undefined> {
    const [stored] = await this.#context.db.query<TokenRow>(
      `SELECT t.organization_id, t.oauth_application_id, t.user_id, t.scopes, t.expires_at, o.features, ${ownRole} AS role, i.last_used_at
       FROM ${living} AND t.token_hash = $1`,
      [hash],
      asRead,
    )
    if (!stored) return undefined
    this.#notice(stored)
    return { ...stored, scopes: limitScopes(stored.scopes, stored.role) }
  }

  /** Records the last use of an installation, to the minute. Nothing waits for the write. */
  #notice({ organization_id, oauth_application_id, last_used_at }: TokenRow): void {
    const now = this.#context.clock.now()
    if (last_used_at && last_used_at > addSeconds(now, -noticed)) return
    this.#context.db
      .query(
        'UPDATE installations SET last_used_at = $3 WHERE organization_id = $1 AND oauth_application_id = $2',
        [organization_id, oauth_application_id, now],
      )
      .catch(() => undefined)
  }
}
