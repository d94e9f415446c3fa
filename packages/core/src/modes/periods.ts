import { day } from '../engine/microseconds.ts'
import { findOpenTimes, type OpenTime } from '../engine/open-times.ts'
import type { Site } from '../engine/places.ts'
import type { Schedule } from '../engine/schedules.ts'
import { stretchAt, type Zone } from '../engine/zones.ts'

/**
 * A longest stretch of open time of a schedule. Ranges that touch at midnight are one period. An hour that
 * the clocks repeat belongs to the period of its first pass, so a period can have a gap.
 */
export interface Period {
  /** -Infinity or Infinity if it is longer than anybody looks. */
  from: number
  until: number
  open: OpenTime[]
}

/** How far to look for the ends of a period at first, and at most. */
const shortReach = 2 * day
const longReach = 512 * day

/** Returns the periods that have a part in [`from`, `until`), with all of their parts, in order. */
export function periodsBetween(schedule: Schedule, site: Site, from: number, until: number): Period[] {
  if (!schedule.is_living || Number.isNaN(from)) return []
  for (let reach = shortReach; ; reach *= 4) {
    const [start, end] = [from - reach, until + reach]
    const found = periodsOf(site.zone, findOpenTimes(schedule, site, start, end))
    const own = found.filter(period => period.from < until && period.until > from)
    // The first pass of an hour lies less than a day before the second.
    if (!own.some(period => period.from < start + day || period.until === end)) return own
    if (reach >= longReach) return own.map(period => unbound(period, start, end))
  }
}

/** Puts open times that follow each other into periods. */
export function periodsOf(zone: Zone, times: readonly OpenTime[]): Period[] {
  const periods: Period[] = []
  for (const time of times) {
    const earlier = firstPass(zone, time.from)
    const known = earlier === null ? undefined : periods.findLast(({ open }) => open.some(contains(earlier)))
    if (known === undefined) periods.push({ ...time, open: [time] })
    else {
      known.open.push(time)
      known.until = Math.max(known.until, time.until)
    }
  }
  return periods
}

/** Returns when the wall clock showed the same time before the clocks were put back; null if it did not. */
function firstPass(zone: Zone, at: number): number | null {
  const now = stretchAt(zone, at)
  if (!Number.isFinite(now.from)) return null
  const repeated = stretchAt(zone, now.from - 1).offset - now.offset
  return at - now.from < repeated ? at - repeated : null
}

function contains(at: number): (time: OpenTime) => boolean {
  return ({ from, until }) => from <= at && at < until
}

function unbound(period: Period, start: number, end: number): Period {
  return {
    from: period.from === start ? -Infinity : period.from,
    until: period.until === end ? Infinity : period.until,
    open: period.open.map(time => ({
      from: time.from === start ? -Infinity : time.from,
      until: time.until === end ? Infinity : time.until,
    })),
  }
}
