import { RequestError } from '@gatehouse-access/api'

interface Bucket {
  tokens: number
  at: number
}

export interface Allowance {
  readonly limit: number
  readonly remaining: number
  /** Seconds until the bucket is full again. */
  readonly reset: number
}

const mostBuckets = 10_000

/** A token bucket per key, with a burst of twice the rate. In memory, so the limit is per process. */
export class RateLimiter {
  /** Least recently used first. */
  #buckets = new Map<string, Bucket>()
  readonly rate: number
  readonly burst: number

  constructor(rate: number) {
    this.rate = rate
    this.burst = rate * 2
  }

  /**
   * Takes requests from the bucket of `key`. Throws if the bucket is empty. Several at once may take more than
   * it holds: the caller then waits until they are made up for.
   */
  take(key: string, amount = 1, now = performance.now()): Allowance {
    const bucket = this.#bucketOf(key, now)
    bucket.tokens = Math.min(this.burst, bucket.tokens + ((now - bucket.at) / 1000) * this.rate)
    bucket.at = now
    if (bucket.tokens < 1) throw this.#limited(bucket)
    bucket.tokens -= amount
    return this.#describe(bucket)
  }

  /** Returns requests that were taken but not used. */
  giveBack(key: string, amount = 1): void {
    const bucket = this.#buckets.get(key)
    if (bucket) bucket.tokens = Math.min(this.burst, bucket.tokens + amount)
  }

  /** A caller with many keys evicts the least recently used buckets, which are the fullest. */
  #bucketOf(key: string, now: number): Bucket {
    const bucket = this.#buckets.get(key) ?? { tokens: this.burst, at: now }
    if (!this.#buckets.delete(key) && this.#buckets.size >= mostBuckets)
      this.#buckets.delete(this.#buckets.keys().next().value ?? '')
    this.#buckets.set(key, bucket)
    return bucket
  }

  #describe({ tokens }: Bucket): Allowance {
    return {
      limit: this.rate,
      remaining: Math.max(0, Math.floor(tokens)),
      reset: Math.ceil((this.burst - tokens) / this.rate),
    }
  }

  #limited(bucket: Bucket): RequestError {
    const seconds = Math.max(1, Math.ceil((1 - bucket.tokens) / this.rate))
    const message = `more than ${this.rate} requests per second; try again in ${seconds} s`
    return new RequestError('rate_limited', message, {
      headers: { 'retry-after': String(seconds), ...allowanceHeaders(this.#describe(bucket)) },
    })
  }
}

export function allowanceHeaders({ limit, remaining, reset }: Allowance): Record<string, string> {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(reset),
  }
}
