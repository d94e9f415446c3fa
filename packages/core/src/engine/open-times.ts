import type { ScheduleException, SpecialDay } from '../special-days.ts'
import type { Weekday } from '../weekdays.ts'
import type { ZoneTable } from '../zone-table.ts'
import { calendarDayOf } from './days/calendars.ts'
import { type DayPart, localDays } from './days/local-days.ts'
import { scheduleDaysOf, type Times } from './days/schedule-days.ts'
import { calendarOf, noSiteDays } from './days/site-days.ts'
import { dayTimes } from './days/times-on.ts'
import { day as dayLength, second } from './microseconds.ts'
import type { Site } from './places.ts'
import type { Schedule } from './schedules.ts'
import { compileWeek } from './week.ts'
import { createZone } from './zones.ts'

/** From inclusive, until exclusive, in microseconds. */
export interface OpenTime {
  readonly from: number
  readonly until: number
}

/** A schedule, with the names of the wire. */
export interface ScheduleTimes {
  weekdays: readonly Weekday[]
  special_days?: readonly SpecialDay[] | null
  exceptions?: readonly ScheduleException[] | null
}

/** A day of a calendar that the site observes. */
export interface DayOfSite {
  id?: string | null
  kind: string
  starts_on: string
  ends_on?: string | null
  recurrence: 'none' | 'yearly'
}

/** Where a schedule is used. Without a table, the runtime's zone data counts. */
export interface SiteTimes {
  timezone: string
  table?: ZoneTable | null
  days?: readonly DayOfSite[]
}

/**
 * Returns when a schedule is open at a site between two instants, consistent with `decide`: an hour that a
 * clock change skips never occurs, and an hour that it repeats occurs twice.
 */
export function openTimes(schedule: ScheduleTimes, site: SiteTimes, from: number, until: number): OpenTime[] {
  return askOpenTimes(schedule, site)(from, until)
}

/** The same for whoever asks more than once: compiles both only once. */
export function askOpenTimes(
  schedule: ScheduleTimes,
  site: SiteTimes,
): (from: number, until: number) => OpenTime[] {
  const compiled = aloneSchedule(schedule)
  const place = aloneSite(site)
  return (from, until) => findOpenTimes(compiled, place, from, until)
}

export function findOpenTimes(schedule: Schedule, site: Site, from: number, until: number): OpenTime[] {
  return joinTimes(openParts(schedule, site, localDays(site.zone, from, until)))
}

/** Joins times that follow each other without a gap. */
export function joinTimes(times: Iterable<OpenTime>): OpenTime[] {
  const joined: OpenTime[] = []
  for (const time of times) {
    const last = joined.at(-1)
    if (last?.until === time.from) joined[joined.length - 1] = { from: last.from, until: time.until }
    else joined.push(time)
  }
  return joined
}

export function* openParts(schedule: Schedule, site: Site, parts: Iterable<DayPart>): Generator<OpenTime> {
  for (const part of parts) yield* openIn(part, dayTimes(schedule, site, part.day))
}

/** Returns when a part of a day is open that has these times. */
export function* openIn({ day, from, until, offset }: DayPart, times: Times): Generator<OpenTime> {
  const midnight = day * dayLength - offset
  for (let index = 0; index < times.length; index += 2) {
    const start = Math.max(from, midnight + (times[index] as number) * second)
    const end = Math.min(until, midnight + (times[index + 1] as number) * second)
    if (start < end) yield { from: start, until: end }
  }
}

/** Compiles a schedule that is in no policy. */
export function aloneSchedule(schedule: ScheduleTimes): Schedule {
  return {
    id: '',
    number: 0,
    is_living: true,
    week: compileWeek(schedule.weekdays),
    days: scheduleDaysOf(schedule),
  }
}

/** Compiles a site that is in no policy. */
export function aloneSite(
  { timezone, table, days = [] }: SiteTimes,
  calendars = [calendarOf(days.map(calendarDayOf))],
): Site {
  const observed = { calendars, until: Infinity, key: '' }
  return {
    id: '',
    number: -1,
    zone: createZone(timezone, table ?? null),
    geo: null,
    days: days.length === 0 ? noSiteDays : observed,
    edition: { number: 0 },
    memo: null,
  }
}
