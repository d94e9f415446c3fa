import { appendRange, type Bounds, isInside, noBounds } from './bounds.ts'
import { type Day, monthDayOf } from './dates.ts'
import { noYears, sinceOf, type Yearly, yearlyOf } from './yearly.ts'

/** A stretch of special days, both ends inclusive. Of a yearly one, this is the first occurrence. */
export interface CalendarDay {
  /** Null on a controller, which is not told it. */
  id: string | null
  kind: string
  from: Day
  to: Day
  is_yearly: boolean
}

/**
 * The days of one kind. Merged, so that their size depends on how often the kind begins and ends, never on
 * how long the stretches are.
 */
export interface KindDays {
  spans: Bounds
  yearly: Yearly
}

export type DayIndex = ReadonlyMap<string, KindDays>

export function compileDays(days: Iterable<CalendarDay>): DayIndex {
  const index = new Map<string, KindDays>()
  for (const [kind, own] of Map.groupBy(days, day => day.kind)) index.set(kind, compileKind(own))
  return index
}

function compileKind(days: readonly CalendarDay[]): KindDays {
  const once = days.filter(day => !day.is_yearly)
  const yearly = days.filter(day => day.is_yearly)
  return {
    spans: once.length === 0 ? noBounds : mergeSpans(once),
    yearly: yearly.length === 0 ? noYears : yearlyOf(yearly),
  }
}

function mergeSpans(days: CalendarDay[]): Bounds {
  const bounds: number[] = []
  for (const { from, to } of days.sort((a, b) => a.from - b.from)) appendRange(bounds, from, to + 1)
  return Int32Array.from(bounds)
}

export function coversDay(index: DayIndex, kind: string, day: Day): boolean {
  const days = index.get(kind)
  return days !== undefined && (isInside(days.spans, day) || isYearly(days, day))
}

export function coversYearly(index: DayIndex, kind: string, day: Day): boolean {
  const days = index.get(kind)
  return days !== undefined && isYearly(days, day)
}

export function isYearly({ yearly }: KindDays, day: Day): boolean {
  return yearly.length > 0 && day >= sinceOf(yearly, monthDayOf(day))
}
