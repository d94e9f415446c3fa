import { tickVirtualDevices } from '@gatehouse-access/server'
import { isSoak, type World, within, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

let w: World

beforeAll(async () => {
  w = await world()
})
afterAll(() => w[Symbol.asyncDispose]())

const hour = 3600
const zone = 'Europe/Madrid'
/** Three weeks in `npm run soak`, the eventful days of them in `npm test`. */
const [begin, end] = isSoak
  ? ['2026-10-19T00:00:00Z', '2026-11-09T00:00:00Z']
  : ['2026-10-23T12:00:00Z', '2026-11-04T00:00:00Z']

interface Range {
  readonly start: number
  readonly end: number
}

const office: Range[] = [{ start: 8 * hour, end: 18 * hour }]
/** The clocks go back from 3 to 2 on Sunday, 25 October. */
const night: Range[] = [{ start: hour / 2, end: 2.5 * hour }]
const weekdays = [office, office, office, office, office, [], night]
const special_days = [
  { kind: 'holiday', ranges: [] },
  { kind: 'half_day', ranges: [{ start: 9 * hour, end: 12 * hour }] },
]
const exceptions = [
  { starts_on: '2026-10-24', ends_on: '2026-10-25', ranges: [{ start: 2 * hour, end: 3 * hour }] },
  { starts_on: '2026-11-03', ranges: [{ start: 10 * hour, end: 24 * hour }] },
]
const days = [
  { kind: 'half_day', starts_on: '2026-10-30', ends_on: '2026-11-02' },
  { kind: 'holiday', starts_on: '2019-11-02', recurrence: 'yearly' as const },
  { kind: 'holiday', starts_on: '2026-11-03' },
]

/** The rules of the specification, written again in the simplest way. */
function rangesOn(date: string, weekday: number): readonly Range[] {
  const exception = exceptions.find(
    ({ starts_on, ends_on = starts_on }) => starts_on <= date && date <= ends_on,
  )
  if (exception) return exception.ranges
  const kinds = days
    .filter(({ starts_on, ends_on = starts_on, recurrence }) =>
      recurrence
        ? starts_on.slice(5) === date.slice(5) && starts_on <= date
        : starts_on <= date && date <= ends_on,
    )
    .map(({ kind }) => kind)
  const special = special_days.find(({ kind }) => kinds.includes(kind))
  return special ? special.ranges : (weekdays[weekday - 1] ?? [])
}

function isOpen(instant: number): boolean {
  const at = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone)
  const second = at.hour * hour + at.minute * 60 + at.second
  const ranges = rangesOn(at.toPlainDate().toString(), at.dayOfWeek)
  return ranges.some(({ start, end }) => start <= second && second < end)
}

const minute = 60_000

/** Every minute at which it opens (or closes), asked minute by minute. */
function turns(opens: boolean): number[] {
  const found: number[] = []
  for (let at = Date.parse(begin) + minute; at < Date.parse(end); at += minute)
    if (isOpen(at) === opens && isOpen(at - minute) !== opens) found.push(at)
  return found
}

/** In `npm test` the minutes around the turns, in `npm run soak` all of them. */
function minutesAsked(): number[] {
  const all = Array.from(
    { length: (Date.parse(end) - Date.parse(begin)) / minute },
    (_, index) => Date.parse(begin) + index * minute,
  )
  if (isSoak) return all
  const turning = new Set([...turns(true), ...turns(false)].flatMap(at => [at - minute, at]))
  return all.filter((at, index) => turning.has(at) || index % 4000 === 0)
}

const timestamp = (instant: number) => new Date(instant).toISOString()

async function build() {
  const { client } = await w.tenant()
  const site = await client.sites.create({ name: 'House', timezone: zone })
  const calendar = await client.calendars.create({ name: 'Days' })
  for (const day of days) await client.calendar_days.create(calendar.id, day)
  await client.sites.edit(site.id, { calendar_ids: [calendar.id] })
  const schedule = await client.schedules.create({
    name: 'Office',
    weekdays: weekdays.map(ranges => ({ ranges })),
    special_days,
    exceptions,
  })
  const keypad = await client.devices.create({ name: 'K', site_id: site.id, product_id: 'keypad' })
  const controller = await client.devices.create({ name: 'C', site_id: site.id, product_id: 'controller' })
  const door = await client.gadgets.create({ name: 'Door', device_id: controller.id })
  await client.devices.edit(keypad.id, { input_rules: [{ code: '', gadget_id: door.id, action_id: 'open' }] })
  const group = await client.member_groups.create({
    name: 'Staff',
    permissions: [{ gadget_id: door.id, schedule_id: schedule.id }],
  })
  const member = await client.members.create({ name: 'Somebody' })
  await client.member_group_associations.create(member.id, { member_group_id: group.id })
  const { pin } = await client.member_pins.create(member.id, {})
  return { client, schedule, calendar, site, door, keypad: keypad.id, controller: controller.id, pin }
}

test(
  'offline over a holiday and a change of clocks, a keypad opens exactly when it should',
  within(60),
  async () => {
    w.clock.set('2026-10-18T12:00:00Z')
    const { client, schedule, calendar, keypad, pin } = await build()
    const stay = async (network: 'online' | 'offline') => client.devices.simulate(keypad, { network })
    await stay('offline')
    const reasons = new Set<string>()
    const wrong: string[] = []
    let open = 0
    for (const [index, at] of minutesAsked().entries()) {
      // Its events are buffered in one row, which must not grow by three weeks of minutes.
      if (index % 1000 === 999) for (const network of ['online', 'offline'] as const) await stay(network)
      w.clock.set(timestamp(at))
      const { events } = await client.devices.simulate(keypad, { keys: `${pin}#` })
      const [event] = events as { type: string; reason?: string }[]
      if (event?.reason) reasons.add(event.reason)
      if ((event?.type === 'use') !== isOpen(at)) wrong.push(timestamp(at))
      if (isOpen(at)) open++
    }
    expect(wrong).toEqual([])
    expect([...reasons]).toEqual(['outside_schedule'])
    expect(open).toBeGreaterThan(10)
    // What changed meanwhile reaches it when it returns.
    w.clock.set('2026-11-10T10:00:00Z')
    await client.calendar_days.create(calendar.id, { starts_on: '2026-11-10' })
    const use = async () => (await client.devices.simulate(keypad, { keys: `${pin}#` })).events
    expect(await use()).toMatchObject([{ type: 'use' }])
    await stay('online')
    expect(await use()).toMatchObject([{ type: 'denial', reason: 'outside_schedule' }])
    await client.schedules.edit(schedule.id, { special_days: [] })
    expect(await use()).toMatchObject([{ type: 'use' }])
  },
)

test('a trigger by schedule runs exactly at the effective turns', within(60), async () => {
  w.clock.set(begin)
  const { client, schedule, door, controller } = await build()
  const trigger = async (source_schedule_event: 'enter' | 'exit') =>
    (
      await client.gadget_triggers.create({
        source_type: 'schedule',
        source_schedule_id: schedule.id,
        source_schedule_event,
        target_gadget_id: door.id,
        target_action_id: 'open',
      })
    ).id
  const [enter, exit] = [await trigger('enter'), await trigger('exit')]
  await tickVirtualDevices(w.server.context)
  await client.devices.simulate(controller, { network: 'offline' })
  const expected = [...turns(true), ...turns(false)]
  for (const at of expected.flatMap(at => [at - 1000, at]).sort((a, b) => a - b)) {
    w.clock.set(timestamp(at))
    await tickVirtualDevices(w.server.context)
  }
  w.clock.set(end)
  await tickVirtualDevices(w.server.context)
  await client.devices.simulate(controller, { network: 'online' })
  const ran = async (id: string) => {
    const times: number[] = []
    for await (const { created_at } of client.events.all({ 'object.gadget_trigger_id': id, verb: 'use' }))
      times.push(Date.parse(created_at))
    return times.sort((a, b) => a - b).map(timestamp)
  }
  expect(await ran(enter)).toEqual(turns(true).map(timestamp))
  expect(await ran(exit)).toEqual(turns(false).map(timestamp))
})
