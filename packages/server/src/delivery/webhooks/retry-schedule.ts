import { addSeconds } from '@gatehouse-access/core'

const firstGap = 3.5
const attempts = 11
const longestJitter = 0.1
const shortestGap = firstGap * (1 - longestJitter)
/** Minimum ratio of a gap to the previous gap: twice, minus the jitter. */
const growth = 2 * (1 - longestJitter)

/** Seconds from the first attempt to each: 0, 3.5, 10.5, 24.5 … 3,580.5. Each gap doubles the last. */
export const dueAfter: readonly number[] = Array.from(
  { length: attempts },
  (_, index) => firstGap * (2 ** index - 1),
)
const lastDue = firstGap * (2 ** (attempts - 1) - 1)

interface FailedAttempt {
  /** When the first attempt of the round began. */
  readonly round_started_at: string
  /** The index in `dueAfter` of this attempt. */
  readonly round_place: number
  /** When the previous attempt of this round began, if any. */
  readonly previous_at: string | null
  readonly attempted_at: string
  readonly ended_at: string
  /** Retry-After of the answer, in seconds. */
  readonly retry_after: number | undefined
  /** Share of the jitter from 0 to 1. Constant throughout a round, so that gaps keep doubling. */
  readonly jitter: number
}

interface NextAttempt {
  readonly next_attempt_at: string
  readonly round_place: number
}

/**
 * Returns the next attempt, or undefined if there is none. Each attempt uses up its place in the schedule,
 * and places in the past are skipped. So neither a clock that is set back, a slow receiver nor downtime of
 * the service causes a burst. A gap longer than planned also lengthens the next. Retry-After can only delay
 * an attempt. No attempt is later than the last place.
 */
export function nextAttempt(failed: FailedAttempt): NextAttempt | undefined {
  const since = (moment: string) => secondsBetween(failed.round_started_at, moment)
  const elapsed = Math.max(0, since(failed.ended_at))
  const round_place = dueAfter.findIndex(
    (_, place) => place > failed.round_place && timeOf(place, failed.jitter) > elapsed,
  )
  if (round_place < 0) return undefined
  const began = since(failed.attempted_at)
  const grown = failed.previous_at === null ? 0 : began + growth * (began - since(failed.previous_at))
  const asked = elapsed + (failed.retry_after ?? 0)
  const due = Math.min(Math.max(timeOf(round_place, failed.jitter), grown, asked), lastDue)
  if (due < began + shortestGap) return undefined
  return { next_attempt_at: addMilliseconds(failed.round_started_at, Math.ceil(due * 1000)), round_place }
}

function timeOf(place: number, jitter: number): number {
  const due = dueAfter[place] ?? lastDue
  return due - (due - (dueAfter[place - 1] ?? 0)) * longestJitter * jitter
}

/** Parses seconds or a date. Returns undefined for anything else. */
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
