import { locale } from '../language/languages.ts'
import { t } from '../language/t.ts'

/** Local dates such as `2026-12-24`. They have no time zone, so they are computed with in UTC. */

const day = 86_400_000
const styles = {
  /** `Thu 24 Dec` */
  short: { weekday: 'short', day: 'numeric', month: 'short' },
  /** `Thu 24 Dec 2026` */
  medium: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  /** `24 Dec 2026` */
  plain: { day: 'numeric', month: 'short', year: 'numeric' },
  /** `24 December` */
  yearly: { day: 'numeric', month: 'long' },
  /** `Thursday 24 December 2026` */
  long: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  month: { month: 'short' },
  /** `December 2026` */
  monthOfYear: { month: 'long', year: 'numeric' },
  weekday: { weekday: 'long' },
  weekdayShort: { weekday: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

/** Cached: a year has hundreds of dates, and creating a format costs far more than using it. */
const formats = new Map<string, Intl.DateTimeFormat>()

export function formatDate(date: string, style: keyof typeof styles): string {
  const held = formats.get(style) ?? new Intl.DateTimeFormat(locale, { ...styles[style], timeZone: 'UTC' })
  formats.set(style, held)
  return held.format(Date.parse(date)).replace(/^(\w+), /, '$1 ')
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * day).toISOString().slice(0, 10)
}

/** The last day of a shorter month stands for those that it does not have. */
export function addMonths(date: string, months: number): string {
  return Temporal.PlainDate.from(date).add({ months }).toString()
}

/** Returns six weeks, from the Monday at or before the first of the month of a date. */
export function monthGrid(date: string): string[][] {
  const first = `${date.slice(0, 7)}-01`
  const monday = addDays(first, -weekdayOf(first))
  return Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (_, day) => addDays(monday, week * 7 + day)),
  )
}

export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / day)
}

/** Returns 0 for Monday to 6 for Sunday. */
export function weekdayOf(date: string): number {
  return (new Date(Date.parse(date)).getUTCDay() + 6) % 7
}

/** Returns `24 Dec 2026`, or `24 Dec 2026 to 6 Jan 2027`. */
export function formatDates(starts_on: string, ends_on: string | null | undefined): string {
  const first = formatDate(starts_on, 'plain')
  return !ends_on || ends_on === starts_on ? first : t(`${first} to ${formatDate(ends_on, 'plain')}`)
}
