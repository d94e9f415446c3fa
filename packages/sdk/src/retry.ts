import { ApiError, ConnectionError } from './api-error.ts'
import type { Call } from './call.ts'

const firstDelay = 200
const longestDelay = 10_000

/**
 * Whether a retry is safe and may help. Every POST carries an Idempotency-Key, and the other methods are
 * idempotent, except with If-Match: the first attempt may have changed the ETag, so the retry would be
 * rejected.
 */
export function mayRepeat({ if_match }: Call, error: unknown): boolean {
  if (error instanceof ConnectionError) return if_match === undefined
  if (!(error instanceof ApiError)) return false
  if (error.status === 429 || error.type === 'idempotency_in_progress') return true
  return error.status === 503 && if_match === undefined
}

/**
 * Returns the milliseconds to wait: exponential backoff with jitter, so that clients do not all retry at the
 * same time.
 */
export function delayBefore(attempt: number, error: unknown, random = Math.random()): number {
  const doubled = Math.min(firstDelay * 2 ** attempt, longestDelay)
  return Math.max(retryAfter(error), doubled * (0.5 + random / 2))
}

function retryAfter(error: unknown): number {
  const header = error instanceof ApiError ? error.headers.get('retry-after') : null
  if (header === null) return 0
  const seconds = Number(header)
  const wait = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1000
  return wait > 0 ? wait : 0
}

export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', abort, { once: true })
  })
}
