import { day } from '../engine/microseconds.ts'
import { findOpenTimes, type OpenTime } from '../engine/open-times.ts'
import type { Site } from '../engine/places.ts'
import type { Schedule } from '../engine/schedules.ts'

/** How far to look for a turn at first, and at most. */
const shortReach = 2 * day
const longReach = 512 * day

/**
 * Returns the first instant after `after` at which the schedules, taken together, open or close; Infinity if
 * they do not. Who came first or left last makes no turn: an override ends when it was said to end.
 */
export function nextTurn(schedules: readonly Schedule[], site: Site, after: number): number {
  const distinct = [...new Set(schedules)].filter(schedule => schedule.is_living)
  if (distinct.length === 0 || Number.isNaN(after)) return Infinity
  for (let reach = shortReach; reach <= longReach; reach *= 4) {
    const end = after + reach
    const first = uniteTimes(distinct.flatMap(schedule => findOpenTimes(schedule, site, after, end)))[0]
    const turn = first?.from === after ? first.until : (first?.from ?? end)
    if (turn < end) return turn
  }
  return Infinity
}

function uniteTimes(times: readonly OpenTime[]): OpenTime[] {
  const united: { from: number; until: number }[] = []
  for (const { from, until } of times.toSorted((a, b) => a.from - b.from)) {
    const last = united.at(-1)
    if (last !== undefined && from <= last.until) last.until = Math.max(last.until, until)
    else united.push({ from, until })
  }
  return united
}
