import { day } from '../engine/microseconds.ts'
import { findOpenTimes, type OpenTime } from '../engine/open-times.ts'
import type { Site } from '../engine/places.ts'
import type { Schedule } from '../engine/schedules.ts'
import { finish, type Steps } from '../engine/steps.ts'
import { noWeek, uniteTwoWeeks, type Week } from '../engine/week.ts'

/** How much time is looked at together, and how far: a turn is mostly near. */
const window = day
const reach = 512 * day

/**
 * Returns the first instant after `after` at which the schedules, taken together, open or close; Infinity if
 * they do not. Who came first or left last makes no turn: an override ends when it was said to end.
 */
export function nextTurn(schedules: readonly Schedule[], site: Site, after: number): number {
  return finish(nextTurnSteps(schedules, site, after))
}

/** A door may have hundreds of rules whose schedules together never close. */
export function* nextTurnSteps(schedules: readonly Schedule[], site: Site, after: number): Steps<number> {
  const living = [...new Set(schedules)].filter(schedule => schedule.is_living)
  if (living.length === 0 || Number.isNaN(after)) return Infinity
  const distinct = yield* uniteWeekly(living)
  let isOpen: boolean | null = null
  for (let from = after; from < after + reach; from += window) {
    const [first] = yield* uniteTimes(distinct, site, from, from + window)
    isOpen ??= first?.from === after
    const turn = isOpen ? endOf(first, from) : (first?.from ?? Infinity)
    if (turn < from + window) return turn
  }
  return Infinity
}

/** Schedules that are the same every week are open together as one of them would be. */
function* uniteWeekly(schedules: readonly Schedule[]): Steps<Schedule[]> {
  const weekly = schedules.filter(({ days }) => days === null)
  const [first] = weekly
  if (first === undefined) return [...schedules]
  const week = yield* uniteWeeks(weekly.map(schedule => schedule.week))
  return [{ ...first, week }, ...schedules.filter(({ days }) => days !== null)]
}

/** Pairwise, so that each bound is copied few times. */
function* uniteWeeks(weeks: readonly Week[]): Steps<Week> {
  let left = weeks
  while (left.length > 1) {
    const united: Week[] = []
    for (let index = 0; index < left.length; index += 2) {
      united.push(uniteTwoWeeks(left[index] as Week, left[index + 1] ?? noWeek))
      yield
    }
    left = united
  }
  return left[0] ?? noWeek
}

/** Returns when open time ends that lasts until `from` at least. */
function endOf(first: OpenTime | undefined, from: number): number {
  return first?.from === from ? first.until : from
}

function* uniteTimes(
  schedules: readonly Schedule[],
  site: Site,
  from: number,
  until: number,
): Steps<OpenTime[]> {
  const times: OpenTime[] = []
  for (const schedule of schedules) {
    times.push(...findOpenTimes(schedule, site, from, until))
    yield
  }
  return joinOverlapping(times.sort((a, b) => a.from - b.from))
}

function joinOverlapping(times: readonly OpenTime[]): OpenTime[] {
  const united: { from: number; until: number }[] = []
  for (const { from, until } of times) {
    const last = united.at(-1)
    if (last !== undefined && from <= last.until) last.until = Math.max(last.until, until)
    else united.push({ from, until })
  }
  return united
}
