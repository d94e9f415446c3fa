import { cell } from '../cells.ts'
import type { CalendarDayRow, CalendarRow } from '../policy-rows.ts'
import type { Steps } from '../steps.ts'
import { dayOfDate } from './dates.ts'
import { type CalendarDay, compileDays, type DayIndex } from './day-index.ts'
import type { Edition } from './edition.ts'

/** Like places, a calendar is a cell with a fixed identity. Sites reference it, so its days are held once. */
export interface Calendar {
  id: string
  is_living: boolean
  days: Map<string, CalendarDay>
  /** Null when a day has changed since it was last needed. A change costs nothing until the next question. */
  index: DayIndex | null
}

export interface Calendars {
  calendars: Map<string, Calendar>
  edition: Edition
}

export function putCalendar(held: Calendars, row: CalendarRow): void {
  calendarCell(held, row.id).is_living = !row.is_deleted
  held.edition.number++
}

export function putCalendarDay(held: Calendars, row: CalendarDayRow): void {
  const calendar = calendarCell(held, row.calendar_id)
  if (row.is_deleted) calendar.days.delete(row.id)
  else calendar.days.set(row.id, calendarDayOf(row))
  calendar.index = null
  held.edition.number++
}

/** A calendar that is only referenced so far is not living, so its days count for nothing. */
export function calendarCell({ calendars }: Pick<Calendars, 'calendars'>, id: string): Calendar {
  return cell(calendars, id, () => ({ id, is_living: false, days: new Map(), index: null }))
}

/** Each calendar has at most 5,000 days, so a step takes about a millisecond. */
export function* settleCalendars({ calendars }: Calendars): Steps<void> {
  for (const calendar of calendars.values())
    if (calendar.index === null) {
      indexOf(calendar)
      yield
    }
}

export function indexOf(calendar: Calendar): DayIndex {
  calendar.index ??= compileDays(calendar.days.values())
  return calendar.index
}

type Described = Pick<CalendarDayRow, 'kind' | 'starts_on' | 'ends_on' | 'recurrence'>

export function calendarDayOf(row: Described & { id?: string | null }): CalendarDay {
  return {
    id: row.id ?? null,
    kind: row.kind,
    from: dayOfDate(row.starts_on),
    to: dayOfDate(row.ends_on ?? row.starts_on),
    is_yearly: row.recurrence === 'yearly',
  }
}
