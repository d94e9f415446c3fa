import { addDays, daysBetween, formatDate, weekdayOf } from '../parts/dates.ts'
import type { PreviewDay } from './schedule.ts'

export const weeksShown = 53
export const lastPlace = weeksShown * 7 - 1

/** The dates that a strip shows: 53 weeks from the Monday of the week of a date. */
export function yearFrom(date: string): { from: string; to: string } {
  const from = addDays(date, -weekdayOf(date))
  return { from, to: addDays(from, lastPlace) }
}

/** The days of a strip by their place, week after week. Undefined: the zone never had that date. */
export type Places = readonly (PreviewDay | undefined)[]

export function toPlaces(days: readonly PreviewDay[], from: string): Places {
  const places = new Array<PreviewDay | undefined>(lastPlace + 1).fill(undefined)
  for (const day of days) {
    const place = daysBetween(from, day.date)
    if (place >= 0 && place <= lastPlace) places[place] = day
  }
  return places
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
