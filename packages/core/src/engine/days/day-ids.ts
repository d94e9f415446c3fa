import type { Day } from './dates.ts'
import type { CalendarDay } from './day-index.ts'
import type { SiteDays } from './site-days.ts'
import { coversMonthDay } from './yearly.ts'

/** Returns, by kind, the first calendar day by id that covers a date at a site. One pass over all its days. */
export function dayIdsOn({ calendars }: SiteDays, day: Day): ReadonlyMap<string, string> {
  const ids = new Map<string, string>()
  for (const calendar of calendars)
    if (calendar.is_living) for (const own of calendar.days.values()) if (covers(own, day)) addId(ids, own)
  return ids
}

/** Whether a stretch covers a date, in its first year or, if it is yearly, in any later one. */
export function covers(own: CalendarDay, day: Day): boolean {
  if (day < own.from) return false
  return own.is_yearly ? coversMonthDay(own, day) : day <= own.to
}

function addId(ids: Map<string, string>, { id, kind }: CalendarDay): void {
  const known = ids.get(kind)
  if (id !== null && (known === undefined || id < known)) ids.set(kind, id)
}
