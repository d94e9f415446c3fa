/** Timestamps are UTC strings with six fraction digits, so that plain string comparison is time comparison. */
const inputPattern = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?([Zz]|[+-]\d{2}:\d{2})$/

/** The canonical form of any ISO 8601 date-time with an offset; undefined when it is none. */
export function parseTimestamp(input: string): string | undefined {
  if (input.length > 64) return undefined
  const match = inputPattern.exec(input)
  if (!match || match[6] === '60') return undefined
  try {
    const text = formatInstant(Temporal.Instant.from(input.replace(/(\.\d{9})\d+/, '$1')))
    return text.length === 27 && text >= '0001' ? text : undefined
  } catch {
    return undefined
  }
}

export function formatInstant(instant: Temporal.Instant): string {
  return instant.toString({ fractionalSecondDigits: 6 })
}

export function epochMilliseconds(timestamp: string): number {
  return Temporal.Instant.from(timestamp).epochMilliseconds
}

/** The timestamp of milliseconds since the epoch. */
export function fromMilliseconds(milliseconds: number): string {
  return formatInstant(Temporal.Instant.fromEpochMilliseconds(milliseconds))
}

/** `timestamp` moved by a number of seconds (may be negative). */
export function addSeconds(timestamp: string, seconds: number): string {
  return formatInstant(Temporal.Instant.from(timestamp).add({ seconds }))
}
