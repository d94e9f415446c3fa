import type { Config } from '../../config/config.ts'
import { type Allowance, RateLimiter } from './rate-limit.ts'

/** Requests per second, beside the configured limits. A smaller `rate_limit` setting caps them all. */
const rates = {
  /** Requests of one user to `/account`, across all sessions. */
  user: 20,
  /** Requests of one network to `/account` and to pages. Many users share an address behind one router. */
  visitors: 100,
  /** Form submissions. Password hashing is deliberately expensive. */
  forms: 5,
  /** New authorizations. Each is stored for an hour, and starting one needs no authentication. */
  interactions: 10,
  /**
   * Token requests per address, and tokens issued per organization. An application's server requests tokens
   * for all its customers from one address.
   */
  exchanges: 100,
  given_tokens: 20,
} as const

type Counted = keyof typeof rates | 'grant' | 'organization' | 'address'

/** Counts requests by caller, not by token: an application gains nothing by holding more tokens. */
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

  take(counted: Counted, key: string, amount = 1): Allowance {
    return this.#limiters[counted].take(key, amount)
  }

  giveBack(counted: Counted, key: string, amount = 1): void {
    this.#limiters[counted].giveBack(key, amount)
  }

  /** Takes from the application or user and from its organization. Returns the smaller allowance. */
  takeWithin(organization_id: string, holder_id: string, amount = 1): Allowance {
    return this.takeBoth('grant', `${organization_id} ${holder_id}`, organization_id, amount)
  }

  /** Takes from both the given limiter and the organization's, or from neither. */
  takeBoth(counted: Counted, key: string, organization_id: string, amount = 1): Allowance {
    const own = this.take(counted, key, amount)
    try {
      const shared = this.take('organization', organization_id, amount)
      return shared.remaining < own.remaining ? shared : own
    } catch (error) {
      this.giveBack(counted, key, amount)
      throw error
    }
  }
}

/** Returns undefined if the operator turned limits off. */
export function openLimits(config: Config): Limits | undefined {
  return config.rate_limit > 0 ? new Limits(config) : undefined
}
