import type { Site } from '../places.ts'
import type { Schedule } from '../schedules.ts'
import { timesOfWeekday } from '../week.ts'
import { noBounds } from './bounds.ts'
import { type Day, weekdayOf } from './dates.ts'
import { exceptionOn, type ScheduleDays, type Times } from './schedule-days.ts'
import { isOfKind, isOfKindYearly, type SiteDays } from './site-days.ts'
import { createMemo, placeOf, refreshMemo } from './times-memo.ts'

/**
 * Returns the times of a schedule on a local day at a site that are not those of its weekday; null if they
 * are. The schedule has days of its own.
 */
export function timesOn(schedule: Schedule, site: Site, day: Day): Times | null {
  if (Number.isNaN(day)) return null
  site.memo ??= createMemo()
  const { memo } = site
  refreshMemo(memo, site.edition)
  const place = placeOf(schedule.number, day)
  if (memo.schedules[place] !== schedule.number || memo.days[place] !== day) {
    memo.times[place] = findTimes(schedule.days as ScheduleDays, site.days, day)
    memo.schedules[place] = schedule.number
    memo.days[place] = day
  }
  return memo.times[place] as Times | null
}

/** Returns the times of a schedule on a local day at a site. */
export function dayTimes(schedule: Schedule, site: Site, day: Day): Times {
  const own = schedule.days === null ? null : timesOn(schedule, site, day)
  return own ?? timesOfWeekday(schedule.week, weekdayOf(day))
}

/** Which entry of a schedule rules a day. */
export interface Ruling {
  source: 'special_day' | 'exception'
  /** Null for an exception, and for a day that is not known any more. */
  kind: string | null
  times: Times
}

const unknownDay: Ruling = { source: 'special_day', kind: null, times: noBounds }

/** Exceptions come first, then the kinds of the day in the order of the schedule. Null: the weekday rules. */
export function rulingOn(own: ScheduleDays, site: SiteDays, day: Day): Ruling | null {
  const exception = exceptionOn(own, day)
  if (exception >= 0)
    return { source: 'exception', kind: null, times: own.exception_times[exception] as Times }
  if (own.kinds.length === 0 || site.calendars.length === 0) return null
  const isKnown = day <= site.until
  const place = isKnown ? own.kinds.findIndex(kind => isOfKind(site, kind, day)) : sureKind(own, site, day)
  if (place < 0) return isKnown ? null : unknownDay
  return { source: 'special_day', kind: own.kinds[place] as string, times: own.kind_times[place] as Times }
}

/**
 * After the last day that a controller knows, any kind may hold, and yearly ones surely do where they fall.
 * So only a yearly day of the first kind rules; in all other cases the day counts as closed.
 */
function sureKind({ kinds }: ScheduleDays, site: SiteDays, day: Day): number {
  return isOfKindYearly(site, kinds[0] as string, day) ? 0 : -1
}

function findTimes(own: ScheduleDays, site: SiteDays, day: Day): Times | null {
  return rulingOn(own, site, day)?.times ?? null
}
