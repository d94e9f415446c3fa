import { dateOfDay, daysOfDate, digits } from './days/dates.ts'

/**
 * Inside the engine, instants are microseconds since 1970 as plain numbers. They are exact from 1684 to 2255.
 * Beyond that they are rounded to at most 32 microseconds, which never changes their order.
 */
export const second = 1_000_000
export const day = 86_400 * second

const canonicalLength = '2026-11-14T09:30:00.123456Z'.length

/** Parses the canonical form by hand, for speed: a policy of 100,000 members has as many dates to compile. */
export function toMicroseconds(timestamp: string): number {
  if (timestamp.length !== canonicalLength || timestamp[26] !== 'Z') return parseAny(timestamp)
  const days = daysOfDate(digits(timestamp, 0, 4), digits(timestamp, 5, 7), digits(timestamp, 8, 10))
  const minutes = digits(timestamp, 11, 13) * 60 + digits(timestamp, 14, 16)
  const seconds = minutes * 60 + digits(timestamp, 17, 19)
  return (days * 86_400 + seconds) * second + digits(timestamp, 20, 26)
}

export function fromMicroseconds(microseconds: number): string {
  const days = Math.floor(microseconds / day)
  const rest = microseconds - days * day
  const seconds = Math.floor(rest / second)
  const fraction = String(rest - seconds * second).padStart(6, '0')
  return `${dateOfDay(days)}T${formatSeconds(seconds)}.${fraction}Z`
}

function parseAny(timestamp: string): number {
  const nanoseconds = Temporal.Instant.from(timestamp).epochNanoseconds
  const microseconds = nanoseconds / 1000n
  return Number(nanoseconds < microseconds * 1000n ? microseconds - 1n : microseconds)
}

function formatSeconds(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  return `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}:${pad(seconds % 60)}`
}

function pad(value: number): string {
  return value < 10 ? `0${value}` : String(value)
}

/** The last second that a timestamp can name. Its fractions would be rounded into the year 10000. */
export const lastInstant = toMicroseconds('9999-12-31T23:59:59.000000Z')
