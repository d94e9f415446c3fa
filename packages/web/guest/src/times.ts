import { locale, say } from './texts.ts'

/** Returns `today at 15:00`, in the site's time zone. */
export function when(at: string | number, timeZone: string, now = Date.now()): string {
  const date = new Date(at)
  const time = format(date, { timeZone, hour: '2-digit', minute: '2-digit' })
  const days = dayNumber(date, timeZone) - dayNumber(new Date(now), timeZone)
  if (days === 0) return say('today_at', { time })
  if (days === 1) return say('tomorrow_at', { time })
  return say('on_day_at', { day: day(date, timeZone, now), time })
}

function day(date: Date, timeZone: string, now: number): string {
  const is_this_year = year(date, timeZone) === year(new Date(now), timeZone)
  const more = is_this_year ? {} : ({ year: 'numeric' } as const)
  return format(date, { timeZone, weekday: 'short', day: 'numeric', month: 'short', ...more })
}

function year(date: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en', { timeZone, year: 'numeric' }).format(date)
}

function dayNumber(date: Date, timeZone: string): number {
  const text = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(date)
  return Math.round(Date.parse(`${text}T00:00:00Z`) / 86_400_000)
}

function format(date: Date, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(locale, options).format(date)
}

/** Returns the city of a zone that differs from the phone's own. Only such times need a label. */
export function foreignCity(timeZone: string): string | undefined {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return own === timeZone ? undefined : timeZone.split('/').pop()?.replaceAll('_', ' ')
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
