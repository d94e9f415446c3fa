import { locale } from '../language/languages.ts'
import { t } from '../language/t.ts'

const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' })
const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

export const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone

type Style = 'moment' | 'exact' | 'weekday' | 'day' | 'date' | 'numbers' | 'short' | 'clock'
const styles: Record<Style, Intl.DateTimeFormatOptions> = {
  moment: { dateStyle: 'medium', timeStyle: 'short' },
  exact: { dateStyle: 'medium', timeStyle: 'medium' },
  weekday: {
    weekday: 'long',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  },
  day: { dateStyle: 'medium' },
  date: { day: 'numeric', month: 'short' },
  numbers: { day: '2-digit', month: '2-digit', year: '2-digit' },
  short: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit' },
  clock: { timeStyle: 'medium' },
}

/** Cached: a list shows hundreds of dates, and creating a format costs far more than using it. */
const formats = new Map<string, Intl.DateTimeFormat>()

function format(style: Style, timestamp: string, timeZone: string): string {
  const key = `${style} ${timeZone}`
  const zone = isKnownZone(timeZone) ? timeZone : 'UTC'
  const held = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...styles[style], timeZone: zone })
  formats.set(key, held)
  return `${held.format(new Date(timestamp))}${zone === timeZone ? '' : ' UTC'}`
}

const zones = new Map<string, boolean>()

/** The service may know zones that this browser does not. They would fail the whole page. */
function isKnownZone(timeZone: string): boolean {
  const known = zones.get(timeZone) ?? canFormat(timeZone)
  zones.set(timeZone, known)
  return known
}

function canFormat(timeZone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat(locale, { timeZone }))
  } catch {
    return false
  }
}

/** Returns `14 Nov 2026, 09:30`. */
export function formatMoment(timestamp: string, timeZone = browserZone): string {
  return format('moment', timestamp, timeZone)
}

/** Returns `14 Nov 2026, 09:30:05`: where seconds matter. */
export function formatExact(timestamp: string, timeZone = browserZone): string {
  return format('exact', timestamp, timeZone)
}

/** Returns `Saturday, 14 Nov 2026, 09:30`. */
export function formatWeekday(timestamp: string, timeZone = browserZone): string {
  return format('weekday', timestamp, timeZone)
}

export function formatDay(timestamp: string, timeZone = browserZone): string {
  return format('day', timestamp, timeZone)
}

export function formatClock(timestamp: string, timeZone = browserZone): string {
  return format('clock', timestamp, timeZone)
}

/** Returns `09:30:05` for today, else `17 Nov, 09:30:05`, with the year if it is another. */
export function formatShort(timestamp: string, now = Date.now()): string {
  if (isToday(timestamp, now)) return formatClock(timestamp)
  return isThisYear(timestamp, now) ? format('short', timestamp, browserZone) : formatExact(timestamp)
}

/** Returns `17 Nov`, or `17/11/25` of another year: for a narrow column. Undefined for today. */
export function formatShortDate(timestamp: string, now = Date.now()): string | undefined {
  if (isToday(timestamp, now)) return undefined
  return format(isThisYear(timestamp, now) ? 'date' : 'numbers', timestamp, browserZone)
}

function isToday(timestamp: string, now: number): boolean {
  return startOfDay(Date.parse(timestamp)) === startOfDay(now)
}

function isThisYear(timestamp: string, now: number): boolean {
  return new Date(timestamp).getFullYear() === new Date(now).getFullYear()
}

/** Returns `5 min ago` or `in 3 days`. */
export function formatAgo(timestamp: string, now = Date.now()): string {
  const seconds = (Date.parse(timestamp) - now) / 1000
  const [unit, size] = steps.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1]
  return Math.abs(seconds) < 5 ? t('now') : relative.format(Math.round(seconds / size), unit)
}

/** Returns `today`, `yesterday` or `3 days ago`, by the calendar. */
export function formatDaysAgo(timestamp: string, now = Date.now()): string {
  const days = Math.round((startOfDay(now) - startOfDay(Date.parse(timestamp))) / 86_400_000)
  return inDays.format(-days, 'day')
}

const inDays = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })

function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0)
}
