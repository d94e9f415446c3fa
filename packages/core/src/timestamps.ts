/**
 * Timestamps are UTC strings with six fraction digits, so that string comparison is time comparison. They are
 * processed as text and with Date, in whole seconds: every write needs several, and Temporal takes ten times
 * as long.
 */
const inputPattern =
  /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/

/** Returns the canonical form of an ISO 8601 date-time with an offset; undefined for any other input. */
export function parseTimestamp(input: string): string | undefined {
  const match = input.length > 64 ? null : inputPattern.exec(input)
  if (!match) return undefined
  const [, date, time, fraction = '', sign, hours, minutes] = match
  const local = Date.parse(`${date}T${time}Z`)
  // A day that the month does not have would roll over into the next month.
  if (Number.isNaN(local) || writeSeconds(local) !== `${date}T${time}`) return undefined
  const offset = sign ? Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) : 0
  const seconds = offset === 0 ? `${date}T${time}` : writeSeconds(local - offset * 60_000)
  if (seconds.length !== 19 || seconds < '0001') return undefined
  return `${seconds}.${fraction.slice(0, 6).padEnd(6, '0')}Z`
}

function writeSeconds(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, -5)
}

export function formatInstant(instant: Temporal.Instant): string {
  return instant.toString({ fractionalSecondDigits: 6 })
}

export function epochMilliseconds(timestamp: string): number {
  return Date.parse(timestamp)
}

export function fromMilliseconds(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, -1)}000Z`
}

/** Returns `timestamp` shifted by a whole number of seconds, which can be negative. */
export function addSeconds(timestamp: string, seconds: number): string {
  const fraction = timestamp.slice(-8)
  return writeSeconds(Date.parse(`${timestamp.slice(0, -8)}Z`) + seconds * 1000) + fraction
}
