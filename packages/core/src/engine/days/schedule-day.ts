import type { Site } from '../places.ts'
import type { Schedule } from '../schedules.ts'
import { type Day, dateOfDay } from './dates.ts'
import type { Times } from './schedule-days.ts'
import { dayTimes, rulingOn } from './times-on.ts'

/** Which local date it is for a schedule, and why the schedule has the times it has on it. */
export interface ScheduleDay {
  date: string
  source: 'weekday' | 'special_day' | 'exception'
  /** Of a special day. Null if a controller does not know the days of the date any more. */
  kind: string | null
  /** The day of a calendar that makes the date special. Unknown on a controller. */
  calendar_day_id: string | null
}

/** Returns the calendar day of a kind on the date. */
export type FindDayId = (kind: string) => string | null

export function describeDay(schedule: Schedule, site: Site, day: Day, findId: FindDayId): ScheduleDay {
  const ruling = schedule.days === null ? null : rulingOn(schedule.days, site.days, day)
  const kind = ruling?.kind ?? null
  return {
    date: dateOfDay(day),
    source: ruling?.source ?? 'weekday',
    kind,
    calendar_day_id: kind === null ? null : findId(kind),
  }
}

/**
 * Whether the day is closed at a second at which its weekday is open, or for the rest of the day although the
 * weekday would open again.
 */
export function isClosedByDay(
  schedule: Schedule,
  site: Site,
  day: Day,
  weekday: Times,
  second: number,
): boolean {
  const times = dayTimes(schedule, site, day)
  const [own, usual] = [times, weekday].map(bounds => nextOpen(bounds, second)) as [number, number]
  return own > second && (usual === second || (usual < Infinity && own === Infinity))
}

function nextOpen(times: Times, second: number): number {
  for (let index = 0; index < times.length; index += 2)
    if ((times[index + 1] as number) > second) return Math.max(second, times[index] as number)
  return Infinity
}
