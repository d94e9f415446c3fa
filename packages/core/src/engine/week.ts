import type { Weekday } from '../weekdays.ts'
import { appendRange, type Bounds, countUpTo } from './days/bounds.ts'
import { addBounds, addDense, createDense, type DenseWeek, keepDense, nextSecond } from './dense-week.ts'
import { second } from './microseconds.ts'
import { stretchAt, type Zone } from './zones.ts'

/**
 * Wall-clock seconds of a week, counted from Monday 00:00, as start, end, start, end …: sorted, disjoint,
 * start inclusive, end exclusive. All schedules of a gadget are read on the clock of its site, so schedules
 * can be combined here, before any time zone is applied.
 */
export type Week = Bounds
/** A week with many ranges is a bitmap: a list would grow with every range that is added. */
export type AnyWeek = Week | DenseWeek

/** The total number of bounds in the weeks to combine up to which lists are faster than bitmaps. */
const mostBounds = 4096

export const daySeconds = 86_400
const weekSeconds = 7 * daySeconds
const weekMicroseconds = weekSeconds * second
/** 1970-01-01 was a Thursday. */
const mondayShift = 3 * daySeconds * second

/** Stands for the absence of a schedule. It is open even where the local time is unknown. */
export const wholeWeek: Week = Int32Array.of(0, weekSeconds)
export const noWeek: Week = new Int32Array()

export function compileWeek(weekdays: readonly Weekday[]): Week {
  const bounds: number[] = []
  for (const [index, { ranges }] of weekdays.entries())
    for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start))
      appendRange(bounds, index * daySeconds + start, index * daySeconds + end)
  return Int32Array.from(bounds)
}

/** Returns the times of one day of the week, in seconds of that day. Monday is 0. */
export function timesOfWeekday(week: Week, weekday: number): Bounds {
  const midnight = weekday * daySeconds
  const first = countUpTo(week, midnight)
  const last = countUpTo(week, midnight + daySeconds - 1)
  // A range of the week can begin before the day and end after it.
  const begun = first % 2
  const bounds = new Int32Array(begun + last - first + (last % 2))
  for (let index = first; index < last; index++)
    bounds[begun + index - first] = (week[index] as number) - midnight
  if (last % 2 === 1) bounds[bounds.length - 1] = daySeconds
  return bounds
}

/** Returns NaN for an unknown zone. NaN is in no week. */
export function weekSecondAt(zone: Zone, at: number): number {
  return Math.floor(weekMicrosecond(at + stretchAt(zone, at).offset) / second)
}

/**
 * Returns the first instant at or after `from` whose wall clock is in the week; Infinity when the search
 * passes `limit` without a result.
 */
export function nextInWeek(week: AnyWeek, zone: Zone, from: number, limit: number): number {
  if (week === wholeWeek) return from
  if (week.length === 0) return Infinity
  for (let at = from; at <= limit; ) {
    const { offset, until } = stretchAt(zone, at)
    const next = at + waitInWeek(week, weekMicrosecond(at + offset))
    if (next < until) return next
    at = until
  }
  return Infinity
}

/** Unites few bounds pairwise, so that each is copied O(log n) times for n weeks; many as bitmaps. */
export function uniteAllWeeks(weeks: readonly AnyWeek[]): AnyWeek {
  const left = weeks.length < 2 ? weeks : [...new Set(weeks)]
  if (left.length < 2) return left[0] ?? noWeek
  if (left.includes(wholeWeek)) return wholeWeek
  const lists = left.filter(week => week instanceof Int32Array)
  const bounds = lists.reduce((sum, week) => sum + week.length, 0)
  return bounds > mostBounds || lists.length < left.length ? uniteDense(left) : uniteLists(lists)
}

export function uniteTwoWeeks(a: Week, b: Week): Week {
  return combineWeeks(a, b, 1)
}

export function intersectWeeks(a: AnyWeek, b: AnyWeek): AnyWeek {
  if (a === wholeWeek) return b
  if (b === wholeWeek) return a
  const areLists = a instanceof Int32Array && b instanceof Int32Array
  if (areLists && a.length + b.length <= mostBounds) return combineWeeks(a, b, 2)
  const dense = uniteDense([a])
  keepDense(dense, b instanceof Int32Array ? uniteDense([b]) : b)
  return dense
}

function uniteLists(weeks: Week[]): Week {
  let left = weeks
  while (left.length > 1)
    left = left.flatMap((week, index) =>
      index % 2 === 0 ? [uniteTwoWeeks(week, left[index + 1] ?? noWeek)] : [],
    )
  return left[0] ?? noWeek
}

function uniteDense(weeks: Iterable<AnyWeek>): DenseWeek {
  const dense = createDense()
  for (const week of weeks)
    if (week instanceof Int32Array) addBounds(dense, week)
    else addDense(dense, week)
  return dense
}

export function weekMicrosecond(wall: number): number {
  const shifted = wall + mondayShift
  return shifted - Math.floor(shifted / weekMicroseconds) * weekMicroseconds
}

/**
 * Returns the wait until the wall clock is in the week, without clock changes; Infinity for an empty week.
 */
export function waitInWeek(week: AnyWeek, position: number): number {
  const next =
    week instanceof Int32Array ? nextStart(week, position) : nextSecond(week, Math.floor(position / second))
  return next < 0 ? Infinity : Math.max(0, next * second - position)
}

/**
 * Returns the start of the range that contains the position, or of the next range, wrapping into the next
 * week; -1 when there is none.
 */
function nextStart(week: Week, position: number): number {
  let low = 0
  let high = week.length / 2
  while (low < high) {
    const middle = (low + high) >> 1
    if ((week[middle * 2 + 1] as number) * second <= position) low = middle + 1
    else high = middle
  }
  if (low * 2 < week.length) return week[low * 2] as number
  return week.length === 0 ? -1 : weekSeconds + (week[0] as number)
}

/** Sweeps both lists of bounds and keeps the times at which at least `depth` of the two weeks are open. */
function combineWeeks(a: Week, b: Week, depth: 1 | 2): Week {
  const bounds = new Int32Array(a.length + b.length)
  let count = 0
  let left = 0
  let right = 0
  while (left < a.length || right < b.length) {
    const wasOpen = (left & 1) + (right & 1) >= depth
    const [next, other] = [boundAt(a, left), boundAt(b, right)]
    if (next <= other) left++
    if (other <= next) right++
    if ((left & 1) + (right & 1) >= depth !== wasOpen) bounds[count++] = Math.min(next, other)
  }
  return bounds.slice(0, count)
}

/** Past the last bound, returns a value beyond the end of any week. */
function boundAt(week: Week, index: number): number {
  return index < week.length ? (week[index] as number) : 2 * weekSeconds
}
