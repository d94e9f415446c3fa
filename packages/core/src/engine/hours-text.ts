import { cutText } from '../cut-text.ts'
import type { Weekday } from '../weekdays.ts'
import type { Bounds } from './days/bounds.ts'
import { compileWeek, timesOfWeekday, type Week } from './week.ts'

const dayNames = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'] as const
const closed = 'off'

const texts = new WeakMap<Week, string>()

/**
 * Returns a week in the notation of opening hours: `Mo-Fr 08:00-18:00; Sa 10:00-14:00`. It is short, so that every
 * decision can keep it. A schedule with very many ranges is cut.
 */
export function weekText(week: Week): string {
  const known = texts.get(week)
  if (known !== undefined) return known
  const text = cutText(daysText(dayNames.map((_, weekday) => rangesText(timesOfWeekday(week, weekday)))))
  texts.set(week, text)
  return text
}

/** Returns the times of one day: `08:00-12:00,13:00-17:00`, or `off`. */
export function timesText(times: Bounds): string {
  return cutText(rangesText(times) || closed)
}

export function weekdaysText(weekdays: readonly Weekday[]): string {
  return weekText(compileWeek(weekdays))
}

function daysText(days: readonly string[]): string {
  const parts: string[] = []
  for (let first = 0; first < days.length; ) {
    let last = first
    while (days[last + 1] === days[first]) last++
    if (days[first] !== '') parts.push(`${spanText(first, last)} ${days[first]}`)
    first = last + 1
  }
  return parts.join('; ') || closed
}

function spanText(first: number, last: number): string {
  return first === last ? `${dayNames[first]}` : `${dayNames[first]}-${dayNames[last]}`
}

function rangesText(times: Bounds): string {
  const ranges: string[] = []
  for (let index = 0; index < times.length; index += 2)
    ranges.push(`${clockText(times[index] as number)}-${clockText(times[index + 1] as number)}`)
  return ranges.join(',')
}

function clockText(second: number): string {
  const parts = [Math.floor(second / 3600), Math.floor(second / 60) % 60]
  if (second % 60 > 0) parts.push(second % 60)
  return parts.map(part => String(part).padStart(2, '0')).join(':')
}
