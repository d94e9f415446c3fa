import fc from 'fast-check'
import type { CalendarDayRow, CalendarRow, ScheduleRow, Weekday, ZoneTable } from '../src/index.ts'
import { anyCalendar, anyCalendarDay, anyDaysOfSchedule, anyZones } from './arbitrary-days.ts'
import { anyWeekday, shiftTimestamp } from './arbitrary-policy.ts'

/** Zones that skip midnight, change by half an hour, changed their rules, or lie at the date line; then any. */
const named = [
  'America/Santiago',
  'Asia/Beirut',
  'Africa/Cairo',
  'Africa/Casablanca',
  'America/Vancouver',
  'America/Asuncion',
  'America/St_Johns',
  'America/Havana',
  'America/Nuuk',
  'America/Scoresbysund',
  'Asia/Gaza',
  'Asia/Jerusalem',
  'Asia/Kathmandu',
  'Asia/Tehran',
  'Atlantic/Azores',
  'Australia/Lord_Howe',
  'Antarctica/Troll',
  'Europe/Dublin',
  'Europe/Madrid',
  'Pacific/Apia',
  'Pacific/Chatham',
  'Pacific/Easter',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
]
const others = Intl.supportedValuesOf('timeZone').filter((_, index) => index % 9 === 5)
export const zones = [...new Set([...named, ...others])].slice(0, 60)

/** Instants around which something can happen to a zone's dates. */
function anchorsOf(zone: string): string[] {
  const anchors = [
    '2011-12-30T10:00:00Z',
    '2026-12-31T23:00:00Z',
    '2028-02-29T12:00:00Z',
    '2027-02-28T23:30:00Z',
  ]
  let at = Temporal.ZonedDateTime.from(`2024-01-01T00:00[${zone}]`)
  for (;;) {
    const next = at.getTimeZoneTransition('next')
    if (!next || next.year > 2030) return anchors
    anchors.push(next.toInstant().toString())
    at = next
  }
}

export interface ScheduleAtSite {
  zone: string
  anchor: string
  weekdays: Weekday[]
  days: Pick<ScheduleRow, 'special_days' | 'exceptions'>
  calendars: CalendarRow[]
  calendar_days: CalendarDayRow[]
  /** Sometimes a table of the zone that differs from what the runtime says. */
  zones: Record<string, ZoneTable>
  /** Seconds from the anchor. */
  shifts: number[]
}

/** A schedule at a site, in any of the zones, around an anchor that is accepted. */
export function anyScheduleAtSite(
  isAnchor: (anchor: string) => boolean = () => true,
): fc.Arbitrary<ScheduleAtSite> {
  return fc
    .constantFrom(...zones)
    .chain(zone => fc.constantFrom(...anchorsOf(zone).filter(isAnchor)).map(anchor => ({ zone, anchor })))
    .chain(({ zone, anchor }) =>
      fc.record({
        zone: fc.constant(zone),
        anchor: fc.constant(shiftTimestamp(anchor, 0, 0)),
        weekdays: fc.array(anyWeekday, { minLength: 7, maxLength: 7 }),
        days: anyDaysOfSchedule(anchor, anyWeekday),
        calendars: fc.tuple(anyCalendar(0), anyCalendar(1)),
        calendar_days: fc.tuple(...[0, 1, 2, 3, 4, 5].map(number => anyCalendarDay(number, anchor))),
        zones: anyZones(zone, anchor),
        shifts: fc.array(fc.integer({ min: -900_000, max: 900_000 }), { minLength: 40, maxLength: 40 }),
      }),
    )
}
