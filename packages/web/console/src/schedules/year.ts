import { addDays, formatDate, weekdayOf } from '../parts/dates.ts'
import type { PreviewDay } from './schedule.ts'

export const weeksShown = 53

/** The dates that a strip shows: 53 weeks from the Monday of the week of a date. */
export function yearFrom(date: string): { from: string; to: string } {
  const from = addDays(date, -weekdayOf(date))
  return { from, to: addDays(from, weeksShown * 7 - 1) }
}

/** Seven rows, Monday first, of one day a week. Undefined: the zone never had that date. */
export type YearRows = readonly (readonly (PreviewDay | undefined)[])[]

export function toRows(days: readonly PreviewDay[], from: string): YearRows {
  const found = new Map(days.map(day => [day.date, day]))
  return Array.from({ length: 7 }, (_, weekday) =>
    Array.from({ length: weeksShown }, (_, week) => found.get(addDays(from, week * 7 + weekday))),
  )
}

export interface Month {
  readonly name: string
  /** The column in which the month begins. */
  readonly column: number
}

/** Returns the months in the columns where they begin. A month cut off at the start gets no name. */
export function monthsOf(from: string): readonly Month[] {
  return Array.from({ length: weeksShown }, (_, column) => ({
    column,
    sunday: addDays(from, column * 7 + 6),
  }))
    .filter(({ sunday }) => Number(sunday.slice(8)) <= 7)
    .map(({ column, sunday }) => ({ column, name: formatDate(sunday, 'month') }))
}
