import type { Weekday } from '../weekdays.ts'
import { compileWeek, invertWeek, nextInWeek } from './week.ts'
import { createZone } from './zones.ts'

/** From inclusive, until exclusive, in microseconds. */
export interface OpenTime {
  readonly from: number
  readonly until: number
}

/**
 * When a schedule is open in a zone between two instants, as `decide` has it: an hour that the clocks skip never
 * comes, and one that they repeat comes twice.
 */
export function openTimes(
  weekdays: readonly Weekday[],
  zoneName: string,
  from: number,
  until: number,
): OpenTime[] {
  const zone = createZone(zoneName)
  const open = compileWeek(weekdays)
  const closed = invertWeek(open)
  const times: OpenTime[] = []
  for (let at = from; at < until; ) {
    const start = nextInWeek(open, zone, at, until)
    if (start >= until) break
    at = Math.min(until, nextInWeek(closed, zone, start, until))
    times.push({ from: start, until: at })
  }
  return times
}
