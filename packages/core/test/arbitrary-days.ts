import fc from 'fast-check'
import type {
  CalendarDayRow,
  CalendarRow,
  ScheduleException,
  ScheduleRow,
  SiteRow,
  Weekday,
  ZoneTable,
} from '../src/index.ts'

/** Special days, exceptions and tables of zones around an anchor. */
const anyKind = fc.constantFrom('holiday', 'half_day', 'inventory')
const mostly = <Value>(value: Value, arbitrary: fc.Arbitrary<Value>, weight = 2) =>
  fc.oneof({ weight, arbitrary: fc.constant(value) }, { weight: 1, arbitrary })

export function calendarId(number: number): string {
  return `cal_${number}`
}

function dateFrom(anchor: string, days: number): string {
  return Temporal.PlainDate.from(anchor.slice(0, 10)).add({ days }).toString()
}

/** Mostly a day or a few near the anchor, sometimes many, sometimes in another year. */
function anyStretch(anchor: string): fc.Arbitrary<{ starts_on: string; ends_on: string | null }> {
  const near = fc.integer({ min: -3, max: 3 })
  const start = fc.oneof(
    { weight: 6, arbitrary: near },
    { weight: 1, arbitrary: fc.integer({ min: -400, max: 400 }) },
    {
      weight: 2,
      arbitrary: fc.tuple(near, fc.constantFrom(-1461, -731, -366, -365, 365)).map(([a, b]) => a + b),
    },
  )
  const length = fc.oneof(
    { weight: 6, arbitrary: fc.nat(3) },
    { weight: 1, arbitrary: fc.constantFrom(0, 364, 365, 200) },
  )
  return fc.tuple(start, length, fc.boolean()).map(([from, days, isNull]) => ({
    starts_on: dateFrom(anchor, from),
    ends_on: days === 0 && isNull ? null : dateFrom(anchor, from + days),
  }))
}

export function anyCalendar(number: number): fc.Arbitrary<CalendarRow> {
  return fc.record({ id: fc.constant(calendarId(number)), is_deleted: mostly(false, fc.boolean(), 8) })
}

/** The calendar follows from the day's number, because it never changes. */
export function anyCalendarDay(number: number, anchor: string): fc.Arbitrary<CalendarDayRow> {
  const rest = fc.record({
    kind: anyKind,
    recurrence: fc.constantFrom('none' as const, 'yearly' as const),
    is_deleted: mostly(false, fc.boolean(), 8),
  })
  return fc.tuple(anyStretch(anchor), rest).map(([stretch, row]) => ({
    id: `cld_${number}`,
    calendar_id: calendarId(number % 2),
    ...stretch,
    ...row,
  }))
}

type DaysOfSite = Pick<SiteRow, 'calendar_ids' | 'days' | 'days_until'>

/** As in the service, or as on a controller with its horizon. */
export function anyDays(anchor: string): fc.Arbitrary<DaysOfSite> {
  const ids = fc.subarray([calendarId(0), calendarId(1), 'cal_unknown'])
  const day = fc
    .tuple(anyKind, anyStretch(anchor), fc.boolean())
    .map(([kind, { starts_on, ends_on }, yearly]) => ({
      kind,
      from: starts_on,
      to: ends_on ?? starts_on,
      yearly,
    }))
  const until = mostly(400, fc.constantFrom(-1, 0, 1, 30, 365), 1).map(days => dateFrom(anchor, days))
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant({}) },
    { weight: 3, arbitrary: fc.record({ calendar_ids: ids }) },
    { weight: 1, arbitrary: fc.record({ days: fc.array(day, { maxLength: 5 }), days_until: until }) },
  )
}

type DaysOfSchedule = Pick<ScheduleRow, 'special_days' | 'exceptions'>

export function anyDaysOfSchedule(
  anchor: string,
  weekday: fc.Arbitrary<Weekday>,
): fc.Arbitrary<DaysOfSchedule> {
  const times = fc.oneof(fc.constant({ ranges: [] }), weekday)
  const special = fc.uniqueArray(
    fc.tuple(anyKind, times).map(([kind, { ranges }]) => ({ kind, ranges })),
    { maxLength: 3, selector: ({ kind }) => kind },
  )
  const exception = fc
    .tuple(anyStretch(anchor), times)
    .map(([stretch, { ranges }]) => ({ ...stretch, ranges }))
  const exceptions = fc.array(exception, { maxLength: 4 }).map(withoutOverlaps)
  return fc.record({ special_days: mostly([], special, 1), exceptions: mostly([], exceptions, 1) })
}

function withoutOverlaps(exceptions: ScheduleException[]): ScheduleException[] {
  const kept: ScheduleException[] = []
  for (const one of exceptions)
    if (kept.every(other => lastOf(one) < other.starts_on || one.starts_on > lastOf(other))) kept.push(one)
  return kept
}

function lastOf({ starts_on, ends_on }: ScheduleException): string {
  return ends_on ?? starts_on
}

/** Sometimes a table that differs from what the runtime says, for some weeks around the anchor. */
export function anyZones(zone: string, anchor: string): fc.Arbitrary<Record<string, ZoneTable>> {
  const hours = fc.integer({ min: -46, max: 56 }).map(quarters => quarters * 900)
  const at = fc.integer({ min: -30, max: 30 }).map(halfDays => shift(anchor, halfDays * 12))
  const change = fc.record({ at, offset: hours })
  const changes = fc.uniqueArray(change, { maxLength: 3, selector: row => row.at })
  const table = fc.tuple(hours, changes).map(([offset, list]) => ({
    release: 'test',
    from: shift(anchor, -40 * 24),
    until: shift(anchor, 40 * 24),
    offset,
    changes: list.toSorted((a, b) => (a.at < b.at ? -1 : 1)),
  }))
  return mostly(
    {},
    table.map(made => ({ [zone]: made })),
    2,
  )
}

function shift(anchor: string, hours: number): string {
  return Temporal.Instant.from(anchor).add({ hours }).toString({ smallestUnit: 'second' })
}
