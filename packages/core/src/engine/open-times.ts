import type { Weekday } from '../weekdays.ts'
import { compileWeek, invertWeek, nextInWeek } from './week.ts'
import { createZone } from './zones.ts'

/** From inclusive, until exclusive, in microseconds. */
export interface OpenTime {
  readonly from: number
  readonly until: number
}

/**
 * Returns when a schedule is open in a zone between two instants, consistent with `decide`: an hour that a
 * clock change skips never occurs, and an hour that it repeats occurs twice.
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
