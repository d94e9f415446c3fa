import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  compilePolicy,
  decide,
  type Policy,
  previewDays,
  type Reason,
  type SiteDay,
  type SiteRow,
  toMicroseconds,
} from '../src/index.ts'
import { anyCalendar, anyCalendarDay, anyDaysOfSchedule, calendarId } from './arbitrary-days.ts'
import { anyWeekday, shiftTimestamp } from './arbitrary-policy.ts'
import { boundaryInstants } from './boundaries.ts'
import { judge, type OracleRows } from './oracle.ts'

/**
 * One door, one schedule with special days and exceptions, and a site that observes two calendars, in sixty
 * zones: all clock changes from 2024 to 2030, leap days, New Year, and the day that Apia skipped. The service,
 * a controller with its slice, the preview and the oracle must agree.
 */
const seeds = Number(process.env.GATEHOUSE_SEEDS ?? 150)
const questionsASeed = 100
const living = { is_deleted: false }
const unbounded = { starts_at: null, ends_at: null, ...living }
const asked = { member_id: 'mem_a', gadget_id: 'gad_a', action_id: 'open' }

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
const zones = [...new Set([...named, ...others])].slice(0, 60)

test('there are sixty zones', () => {
  expect(zones.length).toBe(60)
})

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

const anyCase = fc
  .constantFrom(...zones)
  .chain(zone => fc.constantFrom(...anchorsOf(zone)).map(anchor => ({ zone, anchor })))
  .chain(({ zone, anchor }) =>
    fc.record({
      zone: fc.constant(zone),
      anchor: fc.constant(shiftTimestamp(anchor, 0, 0)),
      weekdays: fc.array(anyWeekday, { minLength: 7, maxLength: 7 }),
      days: anyDaysOfSchedule(anchor, anyWeekday),
      calendars: fc.tuple(anyCalendar(0), anyCalendar(1)),
      calendar_days: fc.tuple(...[0, 1, 2, 3, 4, 5].map(number => anyCalendarDay(number, anchor))),
      shifts: fc.array(fc.integer({ min: -900_000, max: 900_000 }), { minLength: 40, maxLength: 40 }),
    }),
  )

test('service, controller, preview and oracle agree', { timeout: 36_000_000 }, () => {
  let questions = 0
  fc.assert(
    fc.property(anyCase, ({ zone, anchor, weekdays, days, shifts, ...calendars }) => {
      const site = { id: 'site_a', timezone: zone, calendar_ids: [calendarId(0), calendarId(1)], ...living }
      const rows: OracleRows = {
        sites: [site],
        devices: [{ id: 'dev_a', ...living }],
        gadgets: [
          { id: 'gad_a', site_id: 'site_a', device_id: 'dev_a', actions: [{ id: 'open' }], ...living },
        ],
        schedules: [{ id: 'sch_a', weekdays, ...days, ...living }],
        groups: [{ id: 'mg_a', permissions: [{ schedule_id: 'sch_a' }], ...living }],
        members: [{ id: 'mem_a', ...unbounded }],
        associations: [{ id: 'mga_a', member_id: 'mem_a', member_group_id: 'mg_a', ...unbounded }],
        credentials: [],
        ...calendars,
      }
      const instants = [
        ...shifts.map(seconds => shiftTimestamp(anchor, seconds, 0)),
        ...boundaryInstants({ rows, anchor }, { ...asked, who: asked, access_method: 'pin', location: null }),
      ].slice(0, questionsASeed)
      questions += instants.length
      const expected = instants.map(at => [at, judge(rows, { ...asked, at })])
      expect(answersOf(compilePolicy(rows), instants)).toEqual(expected)
      expect(answersOf(compilePolicy(sliceOf(rows)), instants)).toEqual(expected)
      expect(previewed(rows, anchor, instants)).toEqual(expected)
    }),
    { numRuns: seeds },
  )
  if (seeds > 1000) console.log(`${questions.toLocaleString('en')} questions, each asked of four`)
})

function answersOf(policy: Policy, instants: readonly string[]): [string, Reason | null][] {
  return instants.map(at => [at, decide(policy, { ...asked, at: toMicroseconds(at) }).reason])
}

/** The rows as a controller has them: days instead of calendars. */
function sliceOf({ calendars, calendar_days, ...rows }: OracleRows): OracleRows {
  const counted = calendar_days?.filter(
    day => !day.is_deleted && calendars?.some(({ id, is_deleted }) => id === day.calendar_id && !is_deleted),
  )
  const days: SiteDay[] = (counted ?? []).map(({ kind, starts_on, ends_on, recurrence }) => ({
    kind,
    from: starts_on,
    to: ends_on ?? starts_on,
    yearly: recurrence === 'yearly',
  }))
  return {
    ...rows,
    sites: rows.sites.map(({ calendar_ids: _, ...site }) => ({ ...site, days, days_until: '2040-01-01' })),
  }
}

/** Answers by what the preview calls open. */
function previewed(rows: OracleRows, anchor: string, instants: readonly string[]): [string, Reason | null][] {
  const [schedule] = rows.schedules
  const [site] = rows.sites as readonly [SiteRow]
  const living = rows.calendars?.filter(({ is_deleted }) => !is_deleted).map(({ id }) => id)
  const days = rows.calendar_days?.filter(day => !day.is_deleted && living?.includes(day.calendar_id)) ?? []
  const date = Temporal.PlainDate.from(anchor.slice(0, 10))
  const [from, to] = [date.subtract({ days: 14 }), date.add({ days: 14 })].map(String) as [string, string]
  const open = previewDays(schedule as never, { timezone: site.timezone, days }, from, to).flatMap(
    day => day.open,
  )
  return instants.map(at => [
    at,
    open.some(time => time.from <= at && at < time.until) ? null : 'outside_schedule',
  ])
}
