import { addDays, weekdayOf } from '../parts/dates.ts'
import { type Exception, exceptionOn, lastDate, type ScheduleValues } from './schedule.ts'
import type { Range } from './slots.ts'
import { joinMorning } from './times-text.ts'

/**
 * Adds an exception and takes its dates away from those that there are, because exceptions must not overlap.
 */
export function withException(held: readonly Exception[], added: Exception): Exception[] {
  const [first, last] = [added.starts_on, lastDate(added)]
  const rest = held.flatMap(exception => {
    const end = lastDate(exception)
    if (end < first || exception.starts_on > last) return [exception]
    return [
      { ...exception, ends_on: addDays(first, -1) },
      { ...exception, starts_on: addDays(last, 1), ends_on: end },
    ].filter(part => part.starts_on <= part.ends_on)
  })
  return [...rest, added].sort((a, b) => (a.starts_on < b.starts_on ? -1 : 1))
}

/**
 * Adds an exception whose times go on after midnight: the morning is added to the date after each of its dates, and the last
 * of these becomes an exception too, with the times that it has otherwise.
 */
export function withNight(
  held: readonly Exception[],
  added: Exception,
  until: number,
  otherwise: readonly Range[],
): Exception[] {
  if (until === 0) return withException(held, added)
  const { starts_on, ranges } = added
  const last = lastDate(added)
  const next = nightEnd(added)
  const there = exceptionOn(held, next)
  const after = joinMorning(there?.ranges ?? otherwise, until)
  const between = { ...added, starts_on: addDays(starts_on, 1), ranges: [...joinMorning(ranges, until)] }
  return [
    { ...added, ends_on: null },
    ...(starts_on < last ? [{ ...between, ends_on: between.starts_on < last ? last : null }] : []),
    { ...(there ?? added), starts_on: next, ends_on: null, ranges: [...after] },
  ].reduce<Exception[]>(withException, [...held])
}

/** Returns the date after an exception, on which its last night ends. */
export function nightEnd(exception: { starts_on: string; ends_on?: string | null }): string {
  return addDays(lastDate(exception), 1)
}

/** Returns the times of a date without exceptions, by the kinds of day that the site says it is. */
export function usualTimes(
  { weekdays, special_days }: Pick<ScheduleValues, 'weekdays' | 'special_days'>,
  date: string,
  kinds: readonly string[],
): readonly Range[] {
  const special = special_days.find(({ kind }) => kinds.includes(kind))
  return special?.ranges ?? weekdays[weekdayOf(date)]?.ranges ?? []
}
