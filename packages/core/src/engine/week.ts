import type { Weekday } from '../weekdays.ts'
import { second } from './microseconds.ts'
import { stretchAt, type Zone } from './zones.ts'

/**
 * The wall-clock seconds of a week, counted from Monday 00:00, as start, end, start, end … sorted, apart
 * from each other, start inclusive, end exclusive. Because every schedule a gadget meets is read on the one
 * clock of its site, schedules combine here, before any zone comes into play.
 */
export type Week = Int32Array

const daySeconds = 86_400
const weekSeconds = 7 * daySeconds
const weekMicroseconds = weekSeconds * second
/** 1970-01-01 was a Thursday. */
const mondayShift = 3 * daySeconds * second

/** Stands for having no schedule at all; it is open even where the local time is not known. */
export const wholeWeek: Week = Int32Array.of(0, weekSeconds)
export const noWeek: Week = new Int32Array()

export function compileWeek(weekdays: readonly Weekday[]): Week {
  const bounds: number[] = []
  for (const [index, { ranges }] of weekdays.entries())
    for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start))
      appendRange(bounds, index * daySeconds + start, index * daySeconds + end)
  return Int32Array.from(bounds)
}

export function isInWeek(week: Week, weekSecond: number): boolean {
  let low = 0
  let high = week.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((week[middle] as number) <= weekSecond) low = middle + 1
    else high = middle
  }
  return low % 2 === 1
}

/** NaN in a zone nobody knows; it lies in no week. */
export function weekSecondAt(zone: Zone, at: number): number {
  return Math.floor(weekMicrosecond(at + stretchAt(zone, at).offset) / second)
}

/** The first instant from `from` on whose wall clock lies in the week; Infinity when none is found up to `limit`. */
export function nextInWeek(week: Week, zone: Zone, from: number, limit: number): number {
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

/** A week begins (`enter`) or ends (`exit`) at an instant: the wall clock there lies inside or outside, the one before not. */
export interface Turn {
  at: number
  event: 'enter' | 'exit'
}

/** The last turn after one instant up to and including another, which are less than a week apart; null when there is none. */
export function latestTurn(week: Week, zone: Zone, after: number, until: number): Turn | null {
  let latest: Turn | null = null
  for (let from = after + 1; from <= until; ) {
    const stretch = stretchAt(zone, from)
    const to = Math.min(until, stretch.until - 1)
    for (const at of boundsBetween(week, stretch.offset, from, to)) {
      const isInside = isInWeek(week, weekSecondAt(zone, at))
      if (isInside !== isInWeek(week, weekSecondAt(zone, at - 1)) && at >= (latest?.at ?? from))
        latest = { at, event: isInside ? 'enter' : 'exit' }
    }
    from = to + 1
  }
  return latest
}

/** The instants of one stretch at which a week can turn: its bounds, and the first, where the clock may have jumped. */
function boundsBetween(week: Week, offset: number, from: number, to: number): number[] {
  const position = weekMicrosecond(from + offset)
  const waits = Array.from(week, bound => {
    const wait = bound * second - position
    return wait < 0 ? wait + weekMicroseconds : wait % weekMicroseconds
  })
  return [from, ...waits.map(wait => from + wait)].filter(at => at <= to)
}

export function uniteWeeks(a: Week, b: Week): Week {
  return a === wholeWeek || b === wholeWeek ? wholeWeek : combineWeeks(a, b, 1)
}

/** Two by two, so that each bound is looked at as often as the number of weeks can be halved, not once for each week. */
export function uniteAllWeeks(weeks: readonly Week[]): Week {
  if (weeks.length < 2) return weeks[0] ?? noWeek
  let left = [...new Set(weeks)]
  while (left.length > 1)
    left = left.flatMap((week, index) =>
      index % 2 === 0 ? [uniteWeeks(week, left[index + 1] ?? noWeek)] : [],
    )
  return left[0] ?? noWeek
}

export function intersectWeeks(a: Week, b: Week): Week {
  if (a === wholeWeek) return b
  return b === wholeWeek ? a : combineWeeks(a, b, 2)
}

/** The wall-clock seconds of a week that are not in the given ones. */
export function invertWeek(week: Week): Week {
  const bounds = week[0] === 0 ? week.slice(1) : Int32Array.of(0, ...week)
  return bounds.at(-1) === weekSeconds ? bounds.slice(0, -1) : Int32Array.of(...bounds, weekSeconds)
}

function appendRange(bounds: number[], start: number, end: number): void {
  const last = bounds.at(-1) ?? -1
  if (start <= last) bounds[bounds.length - 1] = Math.max(last, end)
  else bounds.push(start, end)
}

function weekMicrosecond(wall: number): number {
  const shifted = wall + mondayShift
  return shifted - Math.floor(shifted / weekMicroseconds) * weekMicroseconds
}

/** How long until the wall clock is inside, were the clock never changed: Infinity for an empty week. */
function waitInWeek(week: Week, position: number): number {
  for (let index = 0; index < week.length; index += 2)
    if ((week[index + 1] as number) * second > position)
      return Math.max(0, (week[index] as number) * second - position)
  return week.length === 0 ? Infinity : weekMicroseconds - position + (week[0] as number) * second
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

/** Beyond its last bound a week has none within any week. */
function boundAt(week: Week, index: number): number {
  return index < week.length ? (week[index] as number) : 2 * weekSeconds
}
