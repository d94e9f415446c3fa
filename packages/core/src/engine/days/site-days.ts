import type { SiteDay, SiteRow } from '../policy-rows.ts'
import { type Calendar, type Calendars, calendarCell, indexOf } from './calendars.ts'
import { type Day, dayOfDate } from './dates.ts'
import { type CalendarDay, coversDay, coversYearly } from './day-index.ts'

/** The special days of a site. */
export interface SiteDays {
  calendars: readonly Calendar[]
  /** The last day whose special days are all known. */
  until: Day
  /** Equal for sites that have the same special days. */
  key: string
}

export const noSiteDays: SiteDays = { calendars: [], until: Infinity, key: '' }

export function siteDaysOf(held: Pick<Calendars, 'calendars'>, row: SiteRow): SiteDays {
  if (row.days || row.days_until) return ownDays(row)
  const ids = [...new Set(row.calendar_ids)].sort()
  if (ids.length === 0) return noSiteDays
  return { calendars: ids.map(id => calendarCell(held, id)), until: Infinity, key: ids.join() }
}

/** On a controller: the days are its own calendar, which no other site shares. */
function ownDays({ id, days, days_until }: SiteRow): SiteDays {
  return {
    calendars: [calendarOf((days ?? []).map(ownDay))],
    until: days_until ? dayOfDate(days_until) : Infinity,
    key: id,
  }
}

export function calendarOf(days: readonly CalendarDay[]): Calendar {
  const entries = days.map((day, index): [string, CalendarDay] => [String(index), day])
  return { id: '', is_living: true, days: new Map(entries), index: null }
}

function ownDay({ kind, from, to, yearly }: SiteDay): CalendarDay {
  return { id: null, kind, from: dayOfDate(from), to: dayOfDate(to), is_yearly: yearly === true }
}

/** Whether a day of the kind, of any calendar, covers the day. */
export function isOfKind({ calendars }: SiteDays, kind: string, day: Day): boolean {
  for (const calendar of calendars)
    if (calendar.is_living && coversDay(indexOf(calendar), kind, day)) return true
  return false
}

/** Like `isOfKind`, but only by days that return every year. */
export function isOfKindYearly({ calendars }: SiteDays, kind: string, day: Day): boolean {
  for (const calendar of calendars)
    if (calendar.is_living && coversYearly(indexOf(calendar), kind, day)) return true
  return false
}
