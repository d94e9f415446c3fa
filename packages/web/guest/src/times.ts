import type { Site } from './model.ts'
import { clock, locale, say } from './texts.ts'

/** Where times are local: a zone, with the table that the service decides by. */
type Place = Pick<Site, 'timezone' | 'zone'>

/** Where the phone is. */
export const here: Place = { timezone: new Intl.DateTimeFormat().resolvedOptions().timeZone }

/** Returns `today at 15:00`, in the site's time zone. */
export function when(at: string | number, place: Place, now = Date.now()): string {
  const date = wallClock(new Date(at).getTime(), place)
  const today = wallClock(now, place)
  // A line must not end before AM or PM.
  const time = format(date, { timeStyle: 'short', ...clock }).replace(/\s/g, '\u00a0')
  const days = dayNumber(date) - dayNumber(today)
  if (days === 0) return say('today_at', { time })
  if (days === 1) return say('tomorrow_at', { time })
  const more = date.getUTCFullYear() === today.getUTCFullYear() ? {} : ({ year: 'numeric' } as const)
  return say('on_day_at', {
    day: format(date, { weekday: 'short', day: 'numeric', month: 'short', ...more }),
    time,
  })
}

/** Whether it is the day of `at` at the place, or before. */
export function isUpToDayOf(at: string, place: Place, now = Date.now()): boolean {
  return dayNumber(wallClock(now, place)) <= dayNumber(wallClock(Date.parse(at), place))
}

/** Returns a date whose UTC fields are what clocks show at the place. */
function wallClock(at: number, { timezone, zone }: Place): Date {
  const is_told = zone && at >= Date.parse(zone.from) && at < Date.parse(zone.until)
  if (!is_told) return wallClockOfPhone(at, timezone)
  const change = zone.changes.findLast(change => Date.parse(change.at) <= at)
  return new Date(at + (change ?? zone).offset * 1000)
}

/** Beyond the table, the phone's own zone data has to do. */
function wallClockOfPhone(at: number, timeZone: string): Date {
  const text = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(at)
  return new Date(`${text.replace(' ', 'T')}Z`)
}

function dayNumber(date: Date): number {
  return Math.floor(date.getTime() / 86_400_000)
}

function format(date: Date, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options }).format(date)
}

/** Returns the city of a zone that differs from the phone's own. Only such times need a label. */
export function foreignCity(timeZone: string): string | undefined {
  return here.timezone === timeZone ? undefined : timeZone.split('/').pop()?.replaceAll('_', ' ')
}

/** Returns `300 m` or `1.2 km`. */
export function distance(metres: number): string {
  const is_near = metres < 1000
  const options = {
    style: 'unit',
    unit: is_near ? 'meter' : 'kilometer',
    maximumFractionDigits: is_near ? 0 : 1,
  }
  const value = is_near ? Math.round(metres / 10) * 10 : metres / 1000
  return new Intl.NumberFormat(locale, options as Intl.NumberFormatOptions).format(value)
}
