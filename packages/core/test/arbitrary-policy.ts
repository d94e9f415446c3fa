import fc from 'fast-check'
import type {
  AccessMethod,
  AssociationRow,
  CredentialRow,
  DeviceRow,
  GadgetRow,
  GroupRow,
  Location,
  MemberRow,
  PermissionRule,
  ScheduleRow,
  SiteRow,
} from '../src/index.ts'
import { accessMethods, compilePolicy, type Policy } from '../src/index.ts'
import { anyCalendar, anyCalendarDay, anyDays, anyDaysOfSchedule, anyZones } from './arbitrary-days.ts'
import type { OracleRows } from './oracle.ts'

/** Zones, each with the instant of a clock change that is worth testing. */
const anchors = [
  ['Europe/Madrid', '2026-03-29T01:00:00Z'],
  ['Europe/Madrid', '2026-10-25T01:00:00Z'],
  ['America/New_York', '2026-03-08T07:00:00Z'],
  ['America/New_York', '2026-11-01T06:00:00Z'],
  ['Asia/Kathmandu', '2026-06-15T18:15:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:30:00Z'],
  ['America/Sao_Paulo', '2018-11-04T03:00:00Z'],
  ['America/Sao_Paulo', '2019-02-17T02:00:00Z'],
  ['Pacific/Apia', '2011-12-30T10:00:00Z'],
  ['Africa/Casablanca', '2026-03-22T02:00:00Z'],
  ['Antarctica/Troll', '2026-03-29T01:00:00Z'],
  ['UTC', '2026-11-14T00:00:00Z'],
  // Midnight is skipped, or comes twice.
  ['America/Santiago', '2026-09-06T04:00:00Z'],
  ['Asia/Beirut', '2026-03-28T22:00:00Z'],
  ['Asia/Beirut', '2026-10-24T21:00:00Z'],
  ['Africa/Cairo', '2026-04-23T22:00:00Z'],
  ['America/St_Johns', '2010-11-07T02:31:00Z'],
  ['UTC', '2028-02-29T00:00:00Z'],
  ['Europe/Madrid', '2026-12-31T23:00:00Z'],
] as const

const hour = 3600
const boundSeconds = [
  0,
  1,
  1800,
  hour,
  5400,
  2 * hour,
  9000,
  3 * hour,
  9 * hour,
  17 * hour,
  82800,
  86399,
  86400,
]

export interface World {
  rows: OracleRows
  anchor: string
}

export interface Attempt {
  who: { member_id: string } | { credential_id: string }
  device_id?: string
  gadget_id: string
  action_id: string
  access_method: AccessMethod
  location: Location | null
}

const rarely = fc.nat(29).map(number => number === 0)
const count = 4

/** Mostly ids of the real form, and some that are not. */
export function idOf(prefix: string, number: number): string {
  return number === 3 ? `${prefix}_odd` : `${prefix}_${String(number).padStart(20, '0')}`
}

function anyId(prefix: string): fc.Arbitrary<string> {
  return fc.nat(count - 1).map(number => idOf(prefix, number))
}

function anyIdOrNull(prefix: string): fc.Arbitrary<string | null> {
  return fc.option(anyId(prefix), { freq: 2 })
}

/** A date within some days of the anchor, often exactly at it, or null. */
function anyDate(anchor: string): fc.Arbitrary<string | null> {
  const seconds = fc.oneof(
    fc.constantFrom(0, hour, -hour, 86400),
    fc.integer({ min: -500_000, max: 500_000 }),
  )
  const near = fc
    .tuple(seconds, fc.constantFrom(0, 0, 1, 999_999, 123_456))
    .map(([shift, microseconds]) => shiftTimestamp(anchor, shift, microseconds))
  const far = fc.constantFrom(400, 900).map(days => shiftTimestamp(anchor, days * 86400, 0))
  return fc.oneof(
    { weight: 12, arbitrary: fc.constant(null) },
    { weight: 5, arbitrary: near },
    { weight: 1, arbitrary: far },
  )
}

export function shiftTimestamp(timestamp: string, seconds: number, microseconds: number): string {
  return Temporal.Instant.from(timestamp)
    .add({ seconds })
    .add({ microseconds })
    .toString({ fractionalSecondDigits: 6 })
}

export const anyWeekday = fc
  .uniqueArray(fc.oneof(fc.constantFrom(...boundSeconds), fc.nat(86400)), { maxLength: 6 })
  .map(bounds => bounds.sort((a, b) => a - b))
  .map(bounds => ({ ranges: bounds.flatMap((start, index) => pair(start, bounds[index + 1], index)) }))

function pair(start: number, end: number | undefined, index: number): { start: number; end: number }[] {
  return index % 2 === 0 && end !== undefined ? [{ start, end }] : []
}

const anyMethods: fc.Arbitrary<NonNullable<PermissionRule['access_methods']> | null> = fc.option(
  fc.record(
    Object.fromEntries(accessMethods.map(method => [method, fc.boolean()])) as Record<
      AccessMethod,
      fc.Arbitrary<boolean>
    >,
    { requiredKeys: [] },
  ),
  { freq: 2 },
)

function anyRule(inheritable: fc.Arbitrary<string | null>): fc.Arbitrary<PermissionRule> {
  const target = fc.oneof(
    fc.constant({}),
    fc.record({ site_id: anyId('site') }),
    fc.record({ gadget_id: anyId('gad') }),
    fc.record({ gadget_id: anyId('gad'), site_id: anyId('site') }),
    fc.record({ tag_id: anyId('tag') }),
    fc.record({ gadget_id: anyId('gad'), tag_id: anyId('tag') }),
    fc.record({ gadget_id: anyId('gad'), action_id: fc.constantFrom('open', 'close') }),
  )
  const restrictions = fc.record({
    schedule_id: anyIdOrNull('sch'),
    presence: fc.constantFrom('none' as const, 'gps' as const, null),
    access_methods: anyMethods,
    member_group_id: inheritable,
  })
  return fc.tuple(target, restrictions).map(([where, rest]) => ({ ...where, ...rest }))
}

export const here: Location = { lat: 41.38, lng: 2.17 }
const nearby: Location = { lat: 41.381, lng: 2.171 }
const faraway: Location = { lat: 41.5, lng: 2.17 }

export function anySite(id: string, timezone: string, anchor: string): fc.Arbitrary<SiteRow> {
  const geo = fc.constantFrom({ location: here, radius: 500 }, { location: here, radius: 500 }, null)
  const site = fc.record({ id: fc.constant(id), timezone: fc.constant(timezone), geo, is_deleted: rarely })
  return fc.tuple(site, anyDays(anchor)).map(([row, days]) => ({ ...row, ...days }))
}

export function anyGadget(id: string): fc.Arbitrary<GadgetRow> {
  const actions = fc.constantFrom([{ id: 'open' }], [{ id: 'open' }, { id: 'close' }])
  return fc.record({
    id: fc.constant(id),
    site_id: anyId('site'),
    device_id: anyId('dev'),
    actions,
    tag_ids: fc.uniqueArray(anyId('tag'), { maxLength: 2 }),
    is_deleted: rarely,
  })
}

export function anySchedule(id: string, anchor: string): fc.Arbitrary<ScheduleRow> {
  const weekdays = fc.array(anyWeekday, { minLength: 7, maxLength: 7 })
  const schedule = fc.record({ id: fc.constant(id), weekdays, is_deleted: rarely })
  return fc.tuple(schedule, anyDaysOfSchedule(anchor, anyWeekday)).map(([row, days]) => ({ ...row, ...days }))
}

/** Groups inherit from higher numbers only, and occasionally from any group, which can create a cycle. */
export function anyGroup(number: number): fc.Arbitrary<GroupRow> {
  const higher = Array.from({ length: count - 1 - number }, (_, step) => idOf('mg', number + 1 + step))
  const inheritable = fc.oneof(
    { weight: 12, arbitrary: fc.constant(null) },
    { weight: 12, arbitrary: fc.constantFrom(null, ...higher) },
    { weight: 1, arbitrary: anyId('mg') },
  )
  const few = { weight: 39, arbitrary: fc.array(anyRule(inheritable), { maxLength: 3 }) }
  const many = { weight: 1, arbitrary: fc.array(anyRule(inheritable), { minLength: 7, maxLength: 18 }) }
  const permissions = fc.oneof(few, many)
  return fc.record({ id: fc.constant(idOf('mg', number)), permissions, is_deleted: rarely })
}

export function anyMember(id: string, anchor: string): fc.Arbitrary<MemberRow> {
  return fc.record({
    id: fc.constant(id),
    starts_at: anyDate(anchor),
    ends_at: anyDate(anchor),
    is_deleted: rarely,
    ...anySuspension(anchor),
  })
}

/** What was suspended until some time may be suspended no more. */
function anySuspension(anchor: string) {
  return { is_suspended: fc.nat(7).map(number => number === 0), suspended_until: anyDate(anchor) }
}

export function anyDevice(id: string, anchor: string): fc.Arbitrary<DeviceRow> {
  return fc.record({ id: fc.constant(id), is_deleted: rarely, ...anySuspension(anchor) })
}

/** The member follows from the association's number, because it never changes. */
export function anyAssociation(number: number, anchor: string): fc.Arbitrary<AssociationRow> {
  return fc.record({
    id: fc.constant(idOf('mga', number)),
    member_id: fc.constant(idOf('mem', number % count)),
    member_group_id: anyId('mg'),
    starts_at: anyDate(anchor),
    ends_at: anyDate(anchor),
    is_deleted: rarely,
  })
}

export function anyCredential(number: number, anchor: string): fc.Arbitrary<CredentialRow> {
  return fc.record({
    id: fc.constant(idOf('mp', number)),
    member_id: anyId('mem'),
    kind: fc.constantFrom('pin' as const, 'card' as const, 'email' as const),
    is_deleted: rarely,
    ...anySuspension(anchor),
  })
}

function several<Row>(make: (number: number) => fc.Arbitrary<Row>, length: number): fc.Arbitrary<Row[]> {
  return fc.tuple(...Array.from({ length }, (_, number) => make(number)))
}

export const anyWorld: fc.Arbitrary<World> = fc.constantFrom(...anchors).chain(([timezone, anchor]) =>
  fc
    .record({
      sites: several(
        number => anySite(idOf('site', number), number === 0 ? 'Europe/Madrid' : timezone, anchor),
        count,
      ),
      devices: several(number => anyDevice(idOf('dev', number), anchor), count),
      gadgets: several(number => anyGadget(idOf('gad', number)), count),
      schedules: several(number => anySchedule(idOf('sch', number), anchor), count),
      groups: several(anyGroup, count),
      members: several(number => anyMember(idOf('mem', number), anchor), count),
      associations: several(number => anyAssociation(number, anchor), 2 * count),
      credentials: several(number => anyCredential(number, anchor), count),
      calendars: several(anyCalendar, 2),
      calendar_days: several(number => anyCalendarDay(number, anchor), 6),
      zones: anyZones(timezone, anchor),
    })
    .map(rows => ({ rows, anchor: shiftTimestamp(anchor, 0, 0) })),
)

/** Compiles rows with the tables of their zones. */
export function compileWorld({ rows }: Pick<World, 'rows'>): Policy {
  return compilePolicy(rows, { zoneTable: name => rows.zones?.[name] ?? null })
}

export const anyAttempt: fc.Arbitrary<Attempt> = fc
  .record({
    who: fc.oneof(
      { weight: 20, arbitrary: fc.record({ member_id: anyId('mem') }) },
      { weight: 5, arbitrary: fc.record({ credential_id: anyId('mp') }) },
      { weight: 1, arbitrary: fc.constant({ member_id: 'mem_00000000000000nobody' }) },
    ),
    gadget_id: anyId('gad'),
    action_id: fc.constantFrom('open', 'open', 'open', 'close'),
    access_method: fc.constantFrom(...accessMethods),
    device_id: anyIdOrNull('dev'),
    location: fc.constantFrom(null, nearby, faraway),
  })
  .map(({ device_id, ...attempt }) => ({ ...attempt, ...(device_id && { device_id }) }))
