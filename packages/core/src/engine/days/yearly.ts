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
  const since = new Int32Array(monthDays).fill(never)
  // The earliest come first. Once every date has its day, later ones change nothing.
  for (const stretch of stretches.toSorted((a, b) => a.from - b.from)) {
    if (!since.includes(never)) break
    addStretch(since, stretch)
  }
  const runs: number[] = []
  for (const [place, day] of since.entries())
    if (place === 0 || day !== since[place - 1]) runs.push(place, day)
  return Int32Array.from(runs)
}

/**
 * Covers the dates from that of the first day to that of the last, over 29 February and New Year if they
 * lie between. A stretch of a whole year covers all of them.
 */
function addStretch(since: Int32Array, stretch: Stretch): void {
  const first = monthDayOf(stretch.from)
  const length = lengthOf(stretch)
  for (let step = 0; step < length; step++) {
    const place = (first + step) % monthDays
    since[place] = Math.min(since[place] as number, stretch.from)
  }
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
