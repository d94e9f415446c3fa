import { createClosedDays, skipClosed } from './closed-days.ts'
import type { Day } from './days/dates.ts'
import { localDay } from './days/local-days.ts'
import {
  createMarks,
  isMarked,
  lastMarked,
  type MarkedDays,
  markDays,
  nextMarked,
} from './days/marked-days.ts'
import { type GroupTimes, schedulesWithDays, timesOfGroups, weekOf } from './group-times.ts'
import type { Group } from './groups.ts'
import { lineage } from './inheritance.ts'
import { day as dayLength } from './microseconds.ts'
import type { Steps } from './steps.ts'
import { type AnyWeek, nextInWeek, noWeek, waitInWeek, weekMicrosecond, wholeWeek } from './week.ts'
import { stretchAt } from './zones.ts'

/**
 * Returns the first instant at or after `from` at which a group is open at the attempt's gadget; Infinity when
 * the search passes `limit` without a result.
 */
export function* nextOpen(group: Group, known: GroupTimes, from: number, limit: number): Steps<number> {
  const week = yield* weekOf(group, known)
  if (!known.with_days.has(group) || week === wholeWeek)
    return nextInWeek(week, known.attempt.site.zone, from, limit)
  return yield* nextOverDays(group, week, known, from, limit)
}

/**
 * Walks week by week, as far as all days are usual, and day by day where one is not. Days on which everything is
 * closed are passed over. Each of the others is combined on its own, and only when the walk gets there, so that
 * memory does not grow with the number of days.
 */
function* nextOverDays(
  group: Group,
  week: AnyWeek,
  known: GroupTimes,
  from: number,
  limit: number,
): Steps<number> {
  const { zone } = known.attempt.site
  const groups = lineage(group)
  const marked = yield* markAll(groups, known, from, limit)
  const closed = createClosedDays(group, groups, known)
  for (let at = from; at <= limit; ) {
    const { offset, until } = stretchAt(zone, at)
    const day = localDay(at + offset)
    const is_usual = !isMarked(marked, day)
    if (!is_usual) {
      const last = Math.min(localDay(Math.min(until, limit) + offset), lastMarked(marked, day))
      const next = yield* skipClosed(closed, day, last)
      if (next > day) {
        at = Math.min(until, next * dayLength - offset)
        continue
      }
    }
    const open = is_usual ? week : (yield* timesOfGroups(groups, known, day)).get(group)
    const end = Math.min(until, (is_usual ? nextMarked(marked, day) : day + 1) * dayLength - offset)
    const position = is_usual ? weekMicrosecond(at + offset) : at + offset - day * dayLength
    const wait = waitInWeek(open ?? noWeek, position)
    if (at + wait < end) return at + wait <= limit ? at + wait : Infinity
    at = end
  }
  return Infinity
}

/** A local day is at most two days from that of UTC, on both ends. None is marked in an unknown zone. */
function* markAll(
  groups: readonly Group[],
  known: GroupTimes,
  from: number,
  limit: number,
): Steps<MarkedDays> {
  const first: Day = localDay(from) - 2
  const marked = createMarks(first, localDay(limit) - first + 3)
  for (const schedule of schedulesWithDays(groups, known)) {
    if (schedule.days !== null) markDays(marked, schedule.days, known.attempt.site.days)
    yield
  }
  return marked
}
