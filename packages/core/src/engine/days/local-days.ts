import { day as dayLength } from '../microseconds.ts'
import { stretchAt, type Zone } from '../zones.ts'
import type { Day } from './dates.ts'

/** A part of a local day, usually all of it, in which the zone has one offset: from inclusive, until exclusive. */
export interface DayPart {
  day: Day
  from: number
  until: number
  offset: number
}

/**
 * Returns what a zone has of local days between two instants, in the order of time. Where the clocks go back
 * over midnight, a day comes again after the next has begun; a day that they skip does not come. None for
 * an unknown zone.
 */
export function* localDays(zone: Zone, from: number, until: number): Generator<DayPart> {
  for (let at = from; at < until; ) {
    const stretch = stretchAt(zone, at)
    const day = localDay(at + stretch.offset)
    if (Number.isNaN(day)) return
    const end = Math.min(until, stretch.until, (day + 1) * dayLength - stretch.offset)
    yield { day, from: at, until: end, offset: stretch.offset }
    at = end
  }
}

/** Returns the day of a wall-clock time in microseconds. */
export function localDay(wall: number): Day {
  return Math.floor(wall / dayLength)
}
