import { type Day, monthDayOf, monthDays } from './dates.ts'

/**
 * Since which day each month and date belongs to a kind, as place, day, place, day …: from each place of the
 * year (`monthDayOf`) up to the next. A stretch that returns every year covers a date from its own first day
 * on, so the earliest start tells it all.
 */
export type Yearly = Int32Array

export const noYears: Yearly = new Int32Array()

const never = 2 ** 31 - 1

interface Stretch {
  from: Day
  to: Day
}

export function yearlyOf(stretches: readonly Stretch[]): Yearly {
  const dates = noDates(monthDays, never)
  for (const stretch of stretches.toSorted((a, b) => a.from - b.from)) addStretch(dates, stretch)
  return runsOf(dates.values)
}

/** Without iterators: a calendar may have thousands of kinds, each with a year of its own. */
function runsOf(since: Int32Array): Yearly {
  const runs: number[] = []
  for (let place = 0; place < monthDays; place++) {
    const day = since[place] as number
    if (place === 0 || day !== since[place - 1]) runs.push(place, day)
  }
  return new Int32Array(runs)
}

/**
 * Some dates in a row, each with a value. What comes first counts, so a date that has its value keeps it. `free`
 * leads from each place to the next that may have none yet: thousands of long stretches then fill each date once.
 */
export interface Dates {
  values: Int32Array
  free: Int32Array
}

export function noDates(length: number, none: number): Dates {
  const free = new Int32Array(length + 1)
  for (let place = 0; place <= length; place++) free[place] = place
  return { values: new Int32Array(length).fill(none), free }
}

/**
 * Covers the dates from that of the first day to that of the last, over 29 February and New Year if they
 * lie between. A stretch of a whole year covers all of them.
 */
function addStretch(dates: Dates, stretch: Stretch): void {
  const first = monthDayOf(stretch.from)
  const end = first + lengthOf(stretch)
  fill(dates, first, Math.min(end, monthDays), stretch.from)
  fill(dates, 0, end - monthDays, stretch.from)
}

/** Gives the dates from one place to before another the value, as far as they have none. */
export function fill({ values, free }: Dates, start: number, end: number, value: number): void {
  if (start >= end) return
  for (let place = nextFree(free, start); place < end; place = nextFree(free, place)) {
    values[place] = value
    free[place] = place + 1
  }
}

/** Shortens the path on its way. */
function nextFree(free: Int32Array, start: number): number {
  let place = start
  while (free[place] !== place) {
    free[place] = free[free[place] as number] as number
    place = free[place] as number
  }
  return place
}

/** Whether a stretch that returns every year covers the month and date of a day. */
export function coversMonthDay(stretch: Stretch, day: Day): boolean {
  const step = monthDayOf(day) - monthDayOf(stretch.from)
  return (step + monthDays) % monthDays < lengthOf(stretch)
}

/** Returns how many places of the year a stretch covers. */
function lengthOf({ from, to }: Stretch): number {
  if (to - from >= monthDays - 1) return monthDays
  return ((monthDayOf(to) - monthDayOf(from) + monthDays) % monthDays) + 1
}

/** Returns the day from which on the date at a place belongs to the kind. */
export function sinceOf(yearly: Yearly, place: number): Day {
  let low = 0
  let high = yearly.length / 2
  while (low < high) {
    const middle = (low + high) >> 1
    if ((yearly[middle * 2] as number) <= place) low = middle + 1
    else high = middle
  }
  return yearly[low * 2 - 1] ?? never
}
