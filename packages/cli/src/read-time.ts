import { UsageError } from './command.ts'

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/** Reads a length such as 30m, 2h or 1d, in seconds. */
export function readLength(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * (units[unit] ?? 1)
}

/**
 * Reads a time: a timestamp, a local date or time such as 2027-01-31 or 2027-01-31T18:00, or how far it is from now,
 * such as 2h. Returns a timestamp.
 */
export function readTime(option: string, text: string, direction: 'past' | 'future'): string {
  const length = readLength(text)
  if (length !== undefined)
    return new Date(Date.now() + (direction === 'past' ? -1 : 1) * length * 1000).toISOString()
  const given = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00` : text
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(given) ? Date.parse(given) : Number.NaN
  if (Number.isNaN(time))
    throw new UsageError(
      `--${option} must be a time like 2h, 2027-01-31 or 2027-01-31T18:00:00Z, not ${text}.`,
    )
  return new Date(time).toISOString()
}
