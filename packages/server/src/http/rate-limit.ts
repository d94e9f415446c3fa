import { RequestError } from '@gatehouse/api'

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

/** A bucket of twice the rate for each token, filled steadily. It lives in this process: the limit is per process. */
export class RateLimiter {
  #buckets = new Map<string, Bucket>()
  readonly rate: number
  readonly burst: number

  constructor(rate: number) {
    this.rate = rate
    this.burst = rate * 2
  }

  /** Takes one request from the bucket of `key`; throws when it is empty. */
  take(key: string, now = performance.now()): Allowance {
    const bucket = this.#buckets.get(key) ?? this.#open(key, now)
    bucket.tokens = Math.min(this.burst, bucket.tokens + ((now - bucket.at) / 1000) * this.rate)
    bucket.at = now
    if (bucket.tokens < 1) throw this.#limited(bucket)
    bucket.tokens -= 1
    return this.#describe(bucket)
  }

  /** Puts one back that was taken in vain. */
  giveBack(key: string): void {
    const bucket = this.#buckets.get(key)
    if (bucket) bucket.tokens = Math.min(this.burst, bucket.tokens + 1)
  }

  #open(key: string, now: number): Bucket {
    if (this.#buckets.size >= 10_000) this.#forgetFull(now)
    const bucket = { tokens: this.burst, at: now }
    this.#buckets.set(key, bucket)
    return bucket
  }

  /** Buckets that have refilled are as good as none; when all are in use, all are forgotten. */
  #forgetFull(now: number): void {
    for (const [key, { tokens, at }] of this.#buckets)
      if (tokens + ((now - at) / 1000) * this.rate >= this.burst) this.#buckets.delete(key)
    if (this.#buckets.size >= 10_000) this.#buckets.clear()
  }

  #describe({ tokens }: Bucket): Allowance {
    return {
      limit: this.rate,
      remaining: Math.floor(tokens),
      reset: Math.ceil((this.burst - tokens) / this.rate),
    }
  }

  #limited(bucket: Bucket): RequestError {
    const seconds = Math.max(1, Math.ceil((1 - bucket.tokens) / this.rate))
    const message = `more than ${this.rate} requests a second; go on after ${seconds} s`
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
