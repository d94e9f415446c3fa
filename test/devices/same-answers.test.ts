import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finish, toMicroseconds, type ZoneTable } from '@gatehouse-access/core'
import { isSoak, manyOr, type Tenant, type World, within, world } from '@gatehouse-access/testkit'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shiftTimestamp } from '../../packages/core/test/arbitrary-policy.ts'
import { anyScheduleAtSite, type ScheduleAtSite, zones } from '../../packages/core/test/arbitrary-site.ts'
import { boundaryInstants } from '../../packages/core/test/boundaries.ts'
import { judge, type OracleRows } from '../../packages/core/test/oracle.ts'
import { VirtualDevice } from '../../packages/server/src/devices/virtual/device.ts'
import { type CorePage, openCorePage } from '../browser/core-page.ts'
import { building, guest } from './building.ts'
import { EdgeChild } from './edge-child.ts'
import { writeOtherRelease } from './other-release.ts'

/**
 * The same questions to the service, a virtual device of it, a controller in its own process, a page in a browser,
 * and the oracle: with the zone data of the runtime, and with a release that none of them has.
 */
const cases = manyOr(2)
/** What a slice knows begins with this month and ends five years later. */
const now = '2024-12-15T12:00:00Z'
const [earliest, latest] = ['2025-01-01', '2029-12-31']
const pin = '402917'
/** Half hours, a second later each, ten days before and after. */
const grid = Array.from({ length: 960 }, (_, index) => (index - 480) * 1801)
/** Checks over HTTP, one request each. */
const checks = 12

const owned = new AsyncDisposableStack()
let page: CorePage
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-same-answers-'))
  owned.defer(() => rm(folder, { recursive: true, force: true }))
  page = owned.use(await openCorePage())
})
afterAll(() => owned.disposeAsync())

/** In `npm test` only what a runtime alone would get wrong. */
const sources = isSoak ? ['the runtime', 'another release'] : ['another release']

describe.each(sources)('with the zone data of %s', source => {
  let place: Place
  let tables: Record<string, ZoneTable> = {}
  const parts = new AsyncDisposableStack()

  beforeAll(async () => {
    const tzdata_dir = await mkdtemp(join(folder, 'tzdata-'))
    if (source === 'another release') tables = await writeOtherRelease(tzdata_dir, zones)
    const w = parts.use(await world(source === 'another release' ? { tzdata_dir } : {}))
    place = await openPlace(w, parts)
  })
  afterAll(() => parts.disposeAsync())

  test('all answer as the oracle', within(60), async () => {
    let questions = 0
    const isAnchor = (anchor: string) => anchor >= earliest && anchor < latest
    for (const given of fc.sample(anyScheduleAtSite(isAnchor), cases)) {
      const rows = rowsOf(given, tables)
      const instants = instantsOf(rows, given)
      const expected = instants.map(at => judge(rows, { ...asked, at }))
      await arrange(place, given)
      questions += instants.length * 4
      const told = { zone: given.zone, anchor: given.anchor }
      expect({ ...told, answers: await askPreview(place, given, instants) }).toEqual({
        ...told,
        answers: expected,
      })
      expect({ ...told, answers: await askVirtual(place, instants) }).toEqual({ ...told, answers: expected })
      expect({ ...told, answers: await askPage(place, given, instants) }).toEqual({
        ...told,
        answers: expected,
      })
      for (let index = 0; index < checks; index++) {
        const at = index % instants.length
        expect({ ...told, at: instants[at], answer: await askService(place, instants[at] ?? '') }).toEqual({
          ...told,
          at: instants[at],
          answer: expected[at],
        })
      }
      // A change takes a moment to reach it.
      await expect.poll(() => place.edge.decideAt(pin, place.edge_door, instants)).toEqual(expected)
    }
    console.log(`${source}: ${questions.toLocaleString('en')} answers in ${cases} cases`)
  })
})

const living = { is_deleted: false }
const unbounded = { starts_at: null, ends_at: null, ...living }
const asked = { member_id: 'mem_a', gadget_id: 'gad_a', action_id: 'open' }

/** What the oracle judges by. Calendars are observed by the site unless they are deleted. */
function rowsOf(
  { zone, weekdays, days, calendars, calendar_days }: ScheduleAtSite,
  tables: Record<string, ZoneTable>,
): OracleRows {
  return {
    sites: [{ id: 'site_a', timezone: zone, calendar_ids: calendars.map(({ id }) => id), ...living }],
    devices: [{ id: 'dev_a', ...living }],
    gadgets: [{ id: 'gad_a', site_id: 'site_a', device_id: 'dev_a', actions: [{ id: 'open' }], ...living }],
    schedules: [{ id: 'sch_a', weekdays, ...days, ...living }],
    groups: [{ id: 'mg_a', permissions: [{ schedule_id: 'sch_a' }], ...living }],
    members: [{ id: 'mem_a', ...unbounded }],
    associations: [{ id: 'mga_a', member_id: 'mem_a', member_group_id: 'mg_a', ...unbounded }],
    credentials: [],
    calendars,
    calendar_days,
    zones: tables,
  }
}

function instantsOf(rows: OracleRows, { anchor, shifts }: ScheduleAtSite): string[] {
  const attempt = { ...asked, who: asked, access_method: 'pin' as const, location: null }
  return [
    ...boundaryInstants({ rows, anchor }, attempt),
    ...[...shifts, ...grid].map(seconds => shiftTimestamp(anchor, seconds, 0)),
  ]
}

interface Place {
  readonly w: World
  readonly tenant: Tenant
  readonly edge: EdgeChild
  readonly edge_door: string
  readonly virtual_door: string
  readonly virtual_id: string
  readonly site_id: string
  readonly schedule_id: string
  readonly member_id: string
  readonly calendar_ids: readonly string[]
}

/** A site with a real controller and a virtual one, and a member who may open both doors by one schedule. */
async function openPlace(w: World, parts: AsyncDisposableStack): Promise<Place> {
  w.clock.set(now)
  const tenant = await w.tenant()
  const { client } = tenant
  const { site, group, door, credentials } = await building(w, tenant)
  const virtual = await client.devices.create({
    name: 'Virtual',
    site_id: site.id,
    product_id: 'controller',
  })
  const other = await client.gadgets.create({ name: 'Other door', device_id: virtual.id })
  const schedule = await client.schedules.create({
    name: 'Any',
    weekdays: Array.from({ length: 7 }, () => ({ ranges: [] })),
  })
  const { id: schedule_id } = schedule
  await client.member_groups.edit(group.id, {
    permissions: [
      { gadget_id: door.id, schedule_id },
      { gadget_id: other.id, schedule_id },
    ],
  })
  const { member } = await guest(tenant, group.id, pin)
  const calendars = [
    await client.calendars.create({ name: 'A' }),
    await client.calendars.create({ name: 'B' }),
  ]
  const storage = await mkdtemp(join(folder, 'edge-'))
  const edge = parts.use(new EdgeChild({ ...credentials, folder: storage, ahead: 0 }))
  return {
    w,
    tenant,
    edge,
    edge_door: door.id,
    virtual_door: other.id,
    virtual_id: virtual.id,
    site_id: site.id,
    schedule_id,
    member_id: member.id,
    calendar_ids: calendars.map(({ id }) => id),
  }
}

/** Makes the place what the case says. */
async function arrange(place: Place, given: ScheduleAtSite): Promise<void> {
  const { client } = place.tenant
  const { zone, weekdays, days, calendars, calendar_days } = given
  for (const [index, calendar_id] of place.calendar_ids.entries()) {
    const held = await client.calendar_days.list(calendar_id, { limit: 100 })
    for (const { id } of held.data) await client.calendar_days.delete(calendar_id, id)
    const own = calendar_days.filter(day => !day.is_deleted && day.calendar_id === calendars[index]?.id)
    for (const { kind, starts_on, ends_on, recurrence } of own)
      await client.calendar_days.create(calendar_id, {
        kind,
        starts_on,
        ends_on: ends_on ?? null,
        recurrence,
      })
  }
  const calendar_ids = place.calendar_ids.filter((_, index) => !calendars[index]?.is_deleted)
  await client.sites.edit(place.site_id, { timezone: zone, calendar_ids })
  await client.schedules.edit(place.schedule_id, {
    weekdays: weekdays.map(({ ranges }) => ({ ranges: [...ranges] })),
    special_days: (days.special_days ?? []).map(({ kind, ranges }) => ({ kind, ranges: [...ranges] })),
    exceptions: (days.exceptions ?? []).map(({ ranges, ...rest }) => ({ ...rest, ranges: [...ranges] })),
  })
}

type Answer = string | null

async function askService({ tenant, member_id, virtual_door }: Place, at: string): Promise<Answer> {
  const question = {
    member_id,
    gadget_id: virtual_door,
    action_id: 'open',
    access_method: 'pin' as const,
    at,
  }
  return (await tenant.client.access_checks.create(question)).reason ?? null
}

/** The service's own preview, some days further on both sides. */
async function askPreview(
  place: Place,
  given: ScheduleAtSite,
  instants: readonly string[],
): Promise<Answer[]> {
  const { client } = place.tenant
  const { data } = await client.schedules.preview(place.schedule_id, {
    site_id: place.site_id,
    ...datesAround(given),
  })
  return answersBy(
    data.flatMap(day => day.open),
    instants,
  )
}

function answersBy(open: readonly { from: string; until: string }[], instants: readonly string[]): Answer[] {
  const times = open.map(({ from, until }) => [toMicroseconds(from), toMicroseconds(until)] as const)
  return instants.map(text => {
    const at = toMicroseconds(text)
    return times.some(([from, until]) => from <= at && at < until) ? null : 'outside_schedule'
  })
}

function datesAround({ anchor }: ScheduleAtSite): { from: string; to: string } {
  const date = Temporal.PlainDate.from(anchor.slice(0, 10))
  return { from: date.subtract({ days: 14 }).toString(), to: date.add({ days: 14 }).toString() }
}

/** A virtual device with the slice that it has now, asked about other times. */
async function askVirtual(place: Place, instants: readonly string[]): Promise<Answer[]> {
  const { context } = place.w.server
  const { organization_id } = place.tenant
  let answers: Answer[] = []
  await context.db.transaction(async db => {
    const key = { organization_id, device_id: place.virtual_id }
    const device = await VirtualDevice.hold(context, db, key)
    await device.run([place.member_id], async ({ station: { policy } }) => {
      const found = policy.identify('pin', pin)
      const question = { gadget_id: place.virtual_door, action_id: 'open', access_method: 'pin' as const }
      answers = instants.map(at =>
        found ? finish(policy.decide({ ...question, ...found, at: toMicroseconds(at) })).reason : 'unknown',
      )
    })
  })
  return answers
}

/** The preview that the console computes from the answers of the service. */
async function askPage(place: Place, given: ScheduleAtSite, instants: readonly string[]): Promise<Answer[]> {
  const { client } = place.tenant
  const table = await client.sites.zone(place.site_id)
  const dates = datesAround(given)
  const special = await client.sites.days(place.site_id, dates)
  const schedule = await client.schedules.get(place.schedule_id)
  const days = special.data.flatMap(({ date, days }) =>
    days.map(({ calendar_day_id, kind }) => ({
      id: calendar_day_id,
      kind,
      starts_on: date,
      ends_on: null,
      recurrence: 'none' as const,
    })),
  )
  const site = { timezone: table.timezone, table, days }
  return answersBy(await page.openTimes(schedule, site, dates.from, dates.to), instants)
}
