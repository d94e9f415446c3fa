import type { Steps } from '../steps.ts'
import type { Day } from './dates.ts'
import { covers } from './day-ids.ts'
import type { CalendarDay } from './day-index.ts'
import { type Dates, fill, noDates } from './yearly.ts'

/** For each date of a stretch, the first of some calendar days that covers it, by kind. */
export interface FirstDays {
  first: Day
  /** In the order in which they count. */
  days: readonly CalendarDay[]
  kinds: ReadonlyMap<string, KindOfDays>
}

/** The days of one kind, by their place in the list. */
interface KindOfDays {
  /** By date. */
  once: Dates
  yearly: number[]
}

const nowhere = -1
const daysAStep = 1000

export function* firstDaysOf(days: readonly CalendarDay[], first: Day, last: Day): Steps<FirstDays> {
  const kinds = new Map<string, KindOfDays>()
  for (const [place, day] of days.entries()) {
    const own = kinds.get(day.kind) ?? { once: noDates(last - first + 1, nowhere), yearly: [] }
    kinds.set(day.kind, own)
    if (day.is_yearly) own.yearly.push(place)
    else fill(own.once, Math.max(day.from, first) - first, Math.min(day.to, last) - first + 1, place)
    if (place % daysAStep === 0) yield
  }
  return { first, days, kinds }
}

export function firstDayOn(
  { days, first, kinds }: FirstDays,
  kind: string,
  day: Day,
): CalendarDay | undefined {
  const own = kinds.get(kind)
  if (own === undefined) return undefined
  const once = own.once.values[day - first] ?? nowhere
  const yearly = own.yearly.find(place => covers(days[place] as CalendarDay, day)) ?? nowhere
  return days[once < 0 || (yearly >= 0 && yearly < once) ? yearly : once]
}
