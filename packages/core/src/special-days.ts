import { dayOfDate, isDate } from './engine/days/dates.ts'
import { findRangeProblem, type Problem, type Range } from './weekdays.ts'

/** The times of a schedule on days that the site calls by this kind, in place of the weekday's. */
export interface SpecialDay {
  kind: string
  ranges: readonly Range[]
}

/** A stretch of local dates, both inclusive. Without an end, it is a single day. */
export interface DateStretch {
  starts_on: string
  ends_on?: string | null
}

/** The times of one schedule on certain dates, whatever the calendars of the site say. */
export interface ScheduleException extends DateStretch {
  name?: string | null
  ranges: readonly Range[]
}

/** The longest stretch, in days. */
export const longestStretch = 366

/** A kind occurs once, and ranges are as on weekdays. */
export function findSpecialDayProblem(days: readonly SpecialDay[]): Problem | undefined {
  const places = new Map<string, number>()
  for (const [index, { kind, ranges }] of days.entries()) {
    const other = places.get(kind)
    if (other !== undefined)
      return {
        field: `special_days.${index}.kind`,
        message: `kind '${kind}' is already used by special_days.${other}`,
      }
    places.set(kind, index)
    const problem = findRangeProblem(ranges)
    if (problem) return within(`special_days.${index}`, problem)
  }
  return undefined
}

/** Every exception is a stretch of dates that exist, ranges are as on weekdays, and no two overlap. */
export function findExceptionProblem(exceptions: readonly ScheduleException[]): Problem | undefined {
  for (const [index, exception] of exceptions.entries()) {
    const problem = findDayProblem(exception) ?? findRangeProblem(exception.ranges)
    if (problem) return within(`exceptions.${index}`, problem)
  }
  return findOverlap(exceptions)
}

/** Both dates exist, the end is not before the start, and the stretch is not too long. */
export function findDayProblem({ starts_on, ends_on }: DateStretch): Problem | undefined {
  for (const [field, date] of Object.entries({ starts_on, ends_on: ends_on ?? starts_on }))
    if (!isDate(date)) return { field, message: `'${date}' is not a date; use the form 2026-12-24` }
  const length = dayOfDate(ends_on ?? starts_on) - dayOfDate(starts_on) + 1
  if (length < 1)
    return { field: 'ends_on', message: `ends_on ${ends_on} must not be before starts_on ${starts_on}` }
  if (length > longestStretch)
    return {
      field: 'ends_on',
      message: `${starts_on} to ${ends_on} is ${length} days long; at most ${longestStretch} are possible`,
    }
  return undefined
}

function findOverlap(exceptions: readonly ScheduleException[]): Problem | undefined {
  const sorted = exceptions
    .map((exception, index) => ({ ...exception, index }))
    .sort((a, b) => (a.starts_on < b.starts_on ? -1 : 1))
  for (const [position, exception] of sorted.entries()) {
    const previous = sorted[position - 1]
    if (previous && exception.starts_on <= lastDate(previous))
      return {
        field: `exceptions.${exception.index}`,
        message: `${describe(exception)} overlaps ${describe(previous)} of exceptions.${previous.index}`,
      }
  }
  return undefined
}

function lastDate({ starts_on, ends_on }: DateStretch): string {
  return ends_on ?? starts_on
}

function describe(stretch: DateStretch): string {
  const last = lastDate(stretch)
  return last === stretch.starts_on ? last : `${stretch.starts_on} to ${last}`
}

function within(field: string, problem: Problem): Problem {
  return { field: `${field}.${problem.field}`, message: problem.message }
}
