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

type Style = 'moment' | 'exact' | 'weekday' | 'day' | 'year' | 'date' | 'numbers' | 'short' | 'clock' | 'zone'
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
  year: { year: 'numeric' },
  date: { day: 'numeric', month: 'short' },
  numbers: { day: '2-digit', month: '2-digit', year: '2-digit' },
  short: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit' },
  clock: { timeStyle: 'medium' },
  zone: { hour: 'numeric', timeZoneName: 'short' },
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
export function isKnownZone(timeZone: string): boolean {
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

const quarter = 900_000
const clocks = new Map<string, boolean>()

/** Whether the clocks of two zones show the same at a moment. Cached by quarters of an hour, at which clocks change. */
export function isSameClock(zone: string, at: number, other = browserZone): boolean {
  if (zone === other) return true
  const key = `${zone} ${other} ${Math.floor(at / quarter)}`
  const held = clocks.get(key) ?? clockOf(zone, at) === clockOf(other, at)
  if (clocks.size > 10_000) clocks.clear()
  clocks.set(key, held)
  return held
}

function clockOf(zone: string, at: number): string {
  return format('moment', new Date(at).toISOString(), zone)
}

/** Whether the clocks of two zones show the same all year round. */
export function haveSameClock(zone: string, other = browserZone, now = Date.now()): boolean {
  return Array.from({ length: 12 }).every((_, month) => isSameClock(zone, now + month * 2_629_800_000, other))
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

/** Returns `GMT+9`: a zone in a narrow column. */
export function zoneMark(timestamp: string, timeZone: string): string {
  return format('zone', timestamp, timeZone).split(' ').at(-1) ?? ''
}

/** Returns `09:30:05` for today, else `17 Nov, 09:30:05`, with the year if it is another. */
export function formatShort(timestamp: string, timeZone = browserZone, now = Date.now()): string {
  if (isSame('day', timestamp, timeZone, now)) return formatClock(timestamp, timeZone)
  const is_this_year = isSame('year', timestamp, timeZone, now)
  return is_this_year ? format('short', timestamp, timeZone) : formatExact(timestamp, timeZone)
}

/** Returns `17 Nov`, or `17/11/25` of another year: for a narrow column. */
export function formatShortDate(timestamp: string, timeZone = browserZone, now = Date.now()): string {
  return format(isSame('year', timestamp, timeZone, now) ? 'date' : 'numbers', timestamp, timeZone)
}

function isSame(style: Style, timestamp: string, timeZone: string, now: number): boolean {
  return format(style, timestamp, timeZone) === format(style, new Date(now).toISOString(), timeZone)
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
