import type { Range } from '../weekdays.ts'
import { type Calendar, calendarDayOf, indexOf } from './days/calendars.ts'
import { type Day, dayOfDate } from './days/dates.ts'
import type { CalendarDay } from './days/day-index.ts'
import { type FirstDays, firstDayOn, firstDaysOf } from './days/first-days.ts'
import { type DayPart, localDays } from './days/local-days.ts'
import { describeDay, type ScheduleDay } from './days/schedule-day.ts'
import type { Times } from './days/schedule-days.ts'
import { calendarOf } from './days/site-days.ts'
import { dayTimes } from './days/times-on.ts'
import { day as dayLength, fromMicroseconds, lastInstant, second } from './microseconds.ts'
import {
  aloneSchedule,
  aloneSite,
  joinTimes,
  openIn,
  type ScheduleTimes,
  type SiteTimes,
} from './open-times.ts'
import type { Site } from './places.ts'
import type { Schedule } from './schedules.ts'
import { finish, type Steps } from './steps.ts'
import { stretchAt } from './zones.ts'

/** A local date of a site: the times of a schedule on it, and why. */
export interface PreviewDay extends ScheduleDay {
  ranges: Range[]
  /** When it is open, as timestamps in UTC. */
  open: { from: string; until: string }[]
  length_seconds: number
  /** Whether the clocks are changed on this date. */
  clock_change: boolean
}

/** Returns the local dates from one to another, both inclusive. A date that the zone never had is left out. */
export function previewDays(
  schedule: ScheduleTimes,
  site: SiteTimes,
  from: string,
  to: string,
): PreviewDay[] {
  return finish(previewSteps(schedule, site, from, to))
}

export function* previewSteps(
  schedule: ScheduleTimes,
  site: SiteTimes,
  from: string,
  to: string,
): Steps<PreviewDay[]> {
  const [first, last] = [dayOfDate(from), dayOfDate(to)]
  const view = yield* viewOf(schedule, site, first, last)
  // Two days more on both sides, because no clock is further from UTC.
  const parts = localDays(view.site.zone, (first - 2) * dayLength, (last + 3) * dayLength)
  const previewed: PreviewDay[] = []
  for (const [day, own] of groupDays(parts, first, last)) {
    previewed.push(previewDay(view, day, own))
    yield
  }
  return previewed
}

interface View {
  schedule: Schedule
  site: Site
  /** In the order of ids. */
  days: FirstDays
}

/** A site can have 50,000 days. They are read and merged a few at a time. */
const daysAStep = 1000

function* viewOf(schedule: ScheduleTimes, site: SiteTimes, first: Day, last: Day): Steps<View> {
  const given = site.days ?? []
  const days: CalendarDay[] = []
  const calendars: Calendar[] = []
  for (let start = 0; start < given.length; start += daysAStep) {
    const some = given.slice(start, start + daysAStep).map(calendarDayOf)
    const calendar = calendarOf(some)
    indexOf(calendar)
    calendars.push(calendar)
    days.push(...some)
    yield
  }
  days.sort((a, b) => ((a.id ?? '') < (b.id ?? '') ? -1 : 1))
  yield
  return {
    schedule: aloneSchedule(schedule),
    site: aloneSite(site, calendars),
    days: yield* firstDaysOf(days, first, last),
  }
}

/** Where the clocks go back over midnight, the parts of two dates alternate. */
function groupDays(parts: Iterable<DayPart>, first: Day, last: Day): [Day, DayPart[]][] {
  const wanted = [...parts].filter(({ day }) => day >= first && day <= last)
  return [...Map.groupBy(wanted, ({ day }) => day)].sort(([a], [b]) => a - b)
}

function previewDay({ schedule, site, days }: View, day: Day, parts: readonly DayPart[]): PreviewDay {
  const times = dayTimes(schedule, site, day)
  return {
    ...describeDay(schedule, site, day, kind => firstDayOn(days, kind, day)?.id ?? null),
    ranges: rangesOf(times),
    open: openOf(parts, times),
    length_seconds: parts.reduce((sum, { from, until }) => sum + until - from, 0) / second,
    clock_change: parts.some(({ from, offset }) => stretchAt(site.zone, from - 1).offset !== offset),
  }
}

/** West of Greenwich, the last date goes on after the last instant there is a timestamp for. */
function openOf(parts: readonly DayPart[], times: Times): PreviewDay['open'] {
  return joinTimes(parts.flatMap(part => [...openIn(part, times)]))
    .filter(({ from }) => from < lastInstant)
    .map(({ from, until }) => ({
      from: fromMicroseconds(from),
      until: fromMicroseconds(Math.min(until, lastInstant)),
    }))
}

function rangesOf(times: Times): Range[] {
  const ranges: Range[] = []
  for (let place = 0; place < times.length; place += 2)
    ranges.push({ start: times[place] as number, end: times[place + 1] as number })
  return ranges
}
