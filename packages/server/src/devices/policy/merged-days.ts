import type { SliceRow } from '@gatehouse-access/api'
import type { Steps } from '@gatehouse-access/core'
import { sortSteps } from '../../flow/sort-steps.ts'

export type SiteDay = NonNullable<SliceRow<'sites'>['days']>[number]

/** A day as it is stored. */
export interface StoredDay {
  readonly kind: string
  readonly starts_on: string
  readonly ends_on: string | null
  readonly recurrence: string
}

/** The local dates that slices know of, first and last. */
export interface DaysWindow {
  readonly from: string
  readonly until: string
}

const millisecondsOfDay = 86_400_000
/** Whoever is furthest ahead or behind in the world has a date that is a day off; the others are two. */
const daysBack = 3
const yearsAhead = 5
const daysOfYear = 366

/**
 * Returns what slices know of at an instant: from at least two days ago to at least five years ahead, by whole
 * months, so that slices stay equal within a month.
 */
export function windowAt(now: string): DaysWindow {
  const back = new Date(Date.parse(now) - daysBack * millisecondsOfDay)
  const [year, month] = [back.getUTCFullYear(), back.getUTCMonth()]
  return {
    from: dateOf(Date.UTC(year, month, 1) / millisecondsOfDay),
    until: dateOf(Date.UTC(year + yearsAhead, month + 2, 0) / millisecondsOfDay),
  }
}

/** Day numbers, both inclusive. */
type DayStretch = readonly [from: number, to: number]

/** The days of one kind. */
interface KindDays {
  stretches: DayStretch[]
  /** Yearly ones. A calendar may have thousands of kinds, so this is small where a kind has few. */
  yearly: YearlyDays[]
}

/** Days of a leap year in a row that count from the same year on. */
interface YearlyDays {
  readonly first: number
  readonly length: number
  readonly year: number
}

/** The days of one or several calendars, by kind. Equal, overlapping and adjacent ones are one. */
export type MergedDays = ReadonlyMap<string, KindDays>

const never = 32_767
/** More yearly stretches of a kind than this are merged. */
const few = 16

export function* mergeDays(days: Iterable<StoredDay>, window: DaysWindow): Steps<MergedDays> {
  const merged = new Map<string, KindDays>()
  const [begin, end] = [dayNumber(window.from), dayNumber(window.until)]
  let count = 0
  for (const { kind, starts_on, ends_on, recurrence } of days) {
    const [from, to] = [dayNumber(starts_on), dayNumber(ends_on ?? starts_on)]
    if (recurrence === 'yearly') addYearly(kindOf(merged, kind), from, to)
    else if (to >= begin && from <= end) kindOf(merged, kind).stretches.push([from, to])
    if (++count % 200 === 0) yield
  }
  for (const own of merged.values()) {
    own.stretches = yield* join(own.stretches)
    if (own.yearly.length > few) own.yearly = runsOf(yield* firstYears(own.yearly))
    yield
  }
  return merged
}

/** Merges what several calendars have. */
export function* uniteDays(all: readonly MergedDays[]): Steps<MergedDays> {
  const united = new Map<string, KindDays>()
  for (const merged of all)
    for (const [kind, { stretches, yearly }] of merged) {
      const into = kindOf(united, kind)
      for (const stretch of stretches) into.stretches.push(stretch)
      for (const own of yearly) into.yearly.push(own)
      yield
    }
  for (const own of united.values()) {
    own.stretches = yield* join(own.stretches)
    yield
  }
  return united
}

function kindOf(merged: Map<string, KindDays>, kind: string): KindDays {
  const known = merged.get(kind)
  if (known) return known
  const made: KindDays = { stretches: [], yearly: [] }
  merged.set(kind, made)
  return made
}

/** Unites stretches that overlap or touch. */
function* join(stretches: readonly DayStretch[]): Steps<DayStretch[]> {
  const joined: DayStretch[] = []
  for (const stretch of yield* sortSteps(stretches, (a, b) => a[0] - b[0])) {
    const last = joined.at(-1)
    if (last && stretch[0] <= last[1] + 1)
      joined[joined.length - 1] = [last[0], Math.max(last[1], stretch[1])]
    else joined.push(stretch)
  }
  return joined
}

/** A stretch across New Year counts in January from the year after its start. */
function addYearly(into: KindDays, from: number, to: number): void {
  const year = new Date(from * millisecondsOfDay).getUTCFullYear()
  const [first, last] = [dayOfLeapYear(from), dayOfLeapYear(to)]
  const isWholeYear = to - from >= daysOfYear - 1
  const length = isWholeYear ? daysOfYear : ((last - first + daysOfYear) % daysOfYear) + 1
  const thisYear = Math.min(length, daysOfYear - first)
  into.yearly.push({ first, length: thisYear, year })
  if (length > thisYear) into.yearly.push({ first: 0, length: length - thisYear, year: year + 1 })
}

/** Returns for each day of a leap year the first year in which it counts. */
function* firstYears(yearly: readonly YearlyDays[]): Steps<Int16Array> {
  const years = new Int16Array(daysOfYear).fill(never)
  for (const [index, { first, length, year }] of yearly.entries()) {
    for (let day = first; day < first + length; day++) years[day] = Math.min(years[day] ?? never, year)
    if (index % 100 === 0) yield
  }
  return years
}

function runsOf(years: Int16Array): YearlyDays[] {
  const runs: YearlyDays[] = []
  for (let first = 0; first < daysOfYear; ) {
    const year = years[first] ?? never
    let end = first + 1
    while (end < daysOfYear && years[end] === year) end++
    if (year !== never) runs.push({ first, length: end - first, year })
    first = end
  }
  return runs
}

/** Returns the days as a slice has them: first date, then kind. */
export function* listDays(merged: MergedDays, window: DaysWindow): Steps<SiteDay[]> {
  const days: SiteDay[] = []
  for (const [kind, { stretches, yearly }] of merged) {
    for (const [from, to] of stretches) days.push({ kind, from: dateOf(from), to: dateOf(to) })
    const years = yearly.length === 0 ? undefined : yield* firstYears(yearly)
    for (const { from, to } of yearlyOf(years, window)) days.push({ kind, from, to, yearly: true })
    yield
  }
  return yield* sortSteps(days, (a, b) =>
    a.from === b.from ? compare(a.kind, b.kind) : compare(a.from, b.from),
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

const february29 = 59

/**
 * Runs of days that count from the same year on. 29 February stands alone unless a run goes across it, because
 * most years have no such date to begin or end with.
 */
function* yearlyOf(firstYears: Int16Array | undefined, { from, until }: DaysWindow) {
  const [earliest, latest] = [Number(from.slice(0, 4)), Number(until.slice(0, 4))]
  const sinceOf = (day: number) => {
    const year = firstYears?.[day] ?? never
    return year > latest ? undefined : Math.max(year, earliest)
  }
  for (let day = 0; day < daysOfYear; day++) {
    const since = sinceOf(day)
    if (since === undefined) continue
    let last = day
    while (day !== february29 && last + 1 < daysOfYear && sinceOf(last + 1) === since) last++
    if (last === february29 && day !== last) last--
    yield { from: dateIn(since, day), to: dateIn(since, last) }
    day = last
  }
}

/** Returns the date of a day of a leap year in a year, or in the next leap year if it is 29 February. */
function dateIn(year: number, day: number): string {
  const leap = day === february29 ? Math.ceil(year / 4) * 4 : year
  const [month, date] = [leapDays[day]?.slice(5, 7), leapDays[day]?.slice(8)]
  return `${leap}-${month}-${date}`
}

function dayNumber(date: string): number {
  return Date.parse(date) / millisecondsOfDay
}

function dateOf(day: number): string {
  return new Date(day * millisecondsOfDay).toISOString().slice(0, 10)
}

/** The dates of a leap year, and where each stands in it. */
const leapYear = 2028
const leapDays = Array.from({ length: daysOfYear }, (_, day) =>
  dateOf(Date.UTC(leapYear, 0, 1) / millisecondsOfDay + day),
)
const daysBefore = Array.from({ length: 12 }, (_, month) =>
  leapDays.findIndex(date => Number(date.slice(5, 7)) === month + 1),
)

function dayOfLeapYear(day: number): number {
  const date = new Date(day * millisecondsOfDay)
  return (daysBefore[date.getUTCMonth()] ?? 0) + date.getUTCDate() - 1
}
