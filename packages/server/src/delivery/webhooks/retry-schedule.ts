import { addSeconds } from '@gatehouse/core'

const firstGap = 3.5
const attempts = 11
const longestJitter = 0.1

/** Seconds after the first attempt at which each is due: 0, 3.5, 10.5, 24.5 … 3,580.5. Each gap doubles the last. */
export const dueAfter: readonly number[] = Array.from(
  { length: attempts },
  (_, index) => firstGap * (2 ** index - 1),
)
const lastDue = dueAfter.at(-1) as number

export interface FailedAttempt {
  /** When the first attempt of the round began. */
  readonly round_started_at: string
  readonly ended_at: string
  /** What the answer asked for, in seconds. */
  readonly retry_after: number | undefined
  /** From 0 to 1: how much of the jitter to take. */
  readonly random: number
}

/**
 * When to try again; undefined: no more. Times that have passed by already are left out, so that neither a receiver that
 * lets us wait nor our own absence leads to a burst. Retry-After only ever makes it later, and not past the last time.
 */
export function nextAttempt(failed: FailedAttempt): string | undefined {
  const elapsed = Math.max(0, secondsBetween(failed.round_started_at, failed.ended_at))
  const at = dueAfter.findIndex(due => due > elapsed)
  if (at < 0) return undefined
  const due = dueAfter[at] as number
  const gap = due - (dueAfter[at - 1] ?? 0)
  const jittered = Math.max(elapsed, due - gap * longestJitter * failed.random)
  const asked = Math.min(elapsed + (failed.retry_after ?? 0), lastDue)
  return addMilliseconds(failed.round_started_at, Math.round(Math.max(jittered, asked) * 1000))
}

/** Retry-After in seconds or as a date; undefined when it is neither. */
export function parseRetryAfter(text: string | undefined, now: string): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text.trim())) return Number(text)
  const date = Date.parse(text)
  if (Number.isNaN(date)) return undefined
  return Math.max(0, date / 1000 - Temporal.Instant.from(now).epochMilliseconds / 1000)
}

function secondsBetween(from: string, to: string): number {
  const span = Temporal.Instant.from(to).epochNanoseconds - Temporal.Instant.from(from).epochNanoseconds
  return Number(span / 1000n) / 1e6
}

function addMilliseconds(timestamp: string, milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  const whole = Temporal.Instant.from(addSeconds(timestamp, seconds))
  return whole.add({ milliseconds: milliseconds - seconds * 1000 }).toString({ fractionalSecondDigits: 6 })
}
