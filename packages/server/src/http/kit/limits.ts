import type { Config } from '../../config/config.ts'
import { type Allowance, RateLimiter } from './rate-limit.ts'

/** Requests a second beside those of the settings: each is the most, a smaller setting holds for all. */
const rates = {
  /** What one user asks of `/account` and our pages, in whatever sessions. */
  user: 20,
  /** Of `/account`; many users share an address behind one router. */
  visitors: 100,
  /** Forms: hashing a password is dear on purpose. */
  forms: 5,
  /** Authorizations that are begun: each is kept for an hour, for anybody who asks. */
  interactions: 10,
  /** Tokens that one address asks for, and one organization is given: an application's server asks for all its customers. */
  exchanges: 100,
  given_tokens: 20,
} as const

type Counted = keyof typeof rates | 'grant' | 'organization' | 'address'

/**
 * How much may be asked, counted for whom a request stands for and never for its token: an application in an organization
 * may hold any number of tokens, and gets no more by them.
 */
export class Limits {
  readonly #limiters: Readonly<Record<Counted, RateLimiter>>

  constructor({
    rate_limit,
    organization_rate_limit,
  }: Pick<Config, 'rate_limit' | 'organization_rate_limit'>) {
    const limiters = Object.entries(rates).map(
      ([name, rate]) => [name, new RateLimiter(Math.min(rate, rate_limit))] as const,
    )
    this.#limiters = {
      ...(Object.fromEntries(limiters) as Record<keyof typeof rates, RateLimiter>),
      grant: new RateLimiter(rate_limit),
      organization: new RateLimiter(organization_rate_limit),
      address: new RateLimiter(rate_limit),
    }
  }

  take(counted: Counted, key: string): Allowance {
    return this.#limiters[counted].take(key)
  }

  giveBack(counted: Counted, key: string): void {
    this.#limiters[counted].giveBack(key)
  }

  /** Of an application or a user within an organization; the answer tells which of both has less left. */
  takeWithin(organization_id: string, holder_id: string): Allowance {
    return this.takeBoth('grant', `${organization_id} ${holder_id}`, organization_id)
  }

  /** Takes from the narrower and from the organization, or from neither. */
  takeBoth(counted: Counted, key: string, organization_id: string): Allowance {
    const own = this.take(counted, key)
    try {
      const shared = this.take('organization', organization_id)
      return shared.remaining < own.remaining ? shared : own
    } catch (error) {
      this.giveBack(counted, key)
      throw error
    }
  }
}

/** Undefined where the operator switched limits off. */
export function openLimits(config: Config): Limits | undefined {
  return config.rate_limit > 0 ? new Limits(config) : undefined
}
