import { createHash } from 'node:crypto'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { building, guest } from './building.ts'
import { ScriptedDevice } from './scripted-device.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

beforeAll(async () => {
  w = owned.use(await world())
  tenant = await w.tenant()
  w.clock.set('2026-11-17T10:00:00Z')
})
afterAll(() => owned.disposeAsync())

const able = ['schedule_exceptions', 'zone_tables', 'something_newer']
const always = Array(7).fill({ ranges: [{ end: 86_400, start: 0 }] })

/** A building whose door is open for a group by a schedule that is closed on holidays. */
async function officeWithHolidays(name: string) {
  const { client } = tenant
  const place = await building(w, tenant, name)
  const calendar = await client.calendars.create({ name: 'Secret calendar' })
  const day = await client.calendar_days.create(calendar.id, { name: 'Secret day', starts_on: '2026-12-25' })
  await client.sites.edit(place.site.id, { calendar_ids: [calendar.id] })
  const schedule = await client.schedules.create({
    name,
    weekdays: always,
    special_days: [{ kind: 'holiday', ranges: [] }],
  })
  await client.member_groups.edit(place.group.id, {
    permissions: [{ gadget_id: place.door.id, schedule_id: schedule.id }],
  })
  return { ...place, calendar, day, schedule }
}

function daysOf(device: ScriptedDevice, siteId: string) {
  const row = device.slice.sites.get(siteId) as { days?: object[]; days_until?: string } | undefined
  return row?.days
}

async function loaded(options: Parameters<typeof ScriptedDevice.connect>[0], before?: ScriptedDevice) {
  const device = await ScriptedDevice.connect(options, before)
  await device.until(({ policy }) => policy !== undefined)
  return device
}

const typesOf = ({ received }: ScriptedDevice) => received.map(({ type }) => type)

test('a changed day, calendar or site reaches the devices there as a delta, and nobody else', async () => {
  const { client } = tenant
  const office = await officeWithHolidays('Office')
  const other = await building(w, tenant, 'Other')
  const frames: string[] = []
  const device = await loaded({ ...office.credentials, capabilities: able })
  device.socket.on('message', data => frames.push(String(data)))
  const elsewhere = await loaded({ ...other.credentials, capabilities: able })
  expect(device.slice.sites.get(office.site.id)).toMatchObject({
    days: [{ kind: 'holiday', from: '2026-12-25', to: '2026-12-25' }],
    days_until: '2031-12-31',
  })
  expect(elsewhere.slice.sites.get(other.site.id)).not.toHaveProperty('days')
  const before = elsewhere.policy

  await client.calendar_days.create(office.calendar.id, { starts_on: '2026-12-26', ends_on: '2026-12-27' })
  await client.calendar_days.create(office.calendar.id, {
    kind: 'half_day',
    starts_on: '2020-12-24',
    recurrence: 'yearly',
  })
  await client.calendar_days.create(office.calendar.id, { starts_on: '2025-12-25' })
  await device.until(() => daysOf(device, office.site.id)?.length === 2)
  expect(daysOf(device, office.site.id)).toEqual([
    { kind: 'half_day', from: '2026-12-24', to: '2026-12-24', yearly: true },
    { kind: 'holiday', from: '2026-12-25', to: '2026-12-27' },
  ])
  await client.calendar_days.delete(office.calendar.id, office.day.id)
  await device.until(() => JSON.stringify(daysOf(device, office.site.id)).includes('2026-12-26'))
  await client.sites.edit(office.site.id, { calendar_ids: [] })
  await device.until(() => daysOf(device, office.site.id) === undefined)
  await client.sites.edit(office.site.id, { calendar_ids: [office.calendar.id] })
  await device.until(() => daysOf(device, office.site.id)?.length === 2)
  // Without any day that it knows of, it still knows until when that holds.
  const { data: days } = await client.calendar_days.list(office.calendar.id, { limit: 100 })
  for (const { id } of days) await client.calendar_days.delete(office.calendar.id, id)
  await device.until(() => daysOf(device, office.site.id)?.length === 0)
  expect(device.slice.sites.get(office.site.id)).toMatchObject({ days: [], days_until: '2031-12-31' })
  await client.calendars.delete(office.calendar.id)
  await device.until(() => daysOf(device, office.site.id) === undefined)
  expect(typesOf(device).filter(type => type === 'snapshot_begin')).toHaveLength(1)
  expect(elsewhere.policy).toEqual(before)
  expect(frames.join()).not.toMatch(/Secret/)
  for (const one of [device, elsewhere]) await one.close()
})

test('what old firmware would misread is left out, and the device and its members say so', async () => {
  const { client } = tenant
  const office = await officeWithHolidays('Old firmware')
  const { member, association } = await guest(tenant, office.group.id, '402917')
  await client.gadget_triggers.create({
    source_type: 'schedule',
    source_schedule_id: office.schedule.id,
    source_schedule_event: 'enter',
    target_gadget_id: office.door.id,
    target_action_id: 'open',
  })
  const old = await loaded(office.credentials)
  expect(old.slice.groups.size).toBe(0)
  expect(old.slice.triggers.size).toBe(0)
  expect(old.slice.schedules.size).toBe(0)
  expect(old.member(member.id)).toBeUndefined()
  expect(daysOf(old, office.site.id)).toBeUndefined()
  const lacking = async () => (await client.devices.get(office.device.id)).status.missing_capabilities
  expect(await lacking()).toEqual(['schedule_exceptions'])
  const sync = await client.members.sync(member.id)
  expect(sync).toMatchObject({ state: 'pending' })
  expect(sync.items.find(({ id }) => id === association.id)).toMatchObject({
    state: 'pending',
    pending_devices: [
      { device_id: office.device.id, online: true, missing_capabilities: ['schedule_exceptions'] },
    ],
  })

  // Without special days it is sent, and nothing is missing.
  await client.schedules.edit(office.schedule.id, { special_days: [] })
  await old.until(() => old.holder('pin', '402917') === member.id)
  await expect.poll(lacking).toEqual([])
  await expect.poll(async () => (await client.members.sync(member.id)).state).toBe('applied')
  const exceptions = [{ starts_on: '2026-12-24', name: 'Secret', ranges: [] }]
  await client.schedules.edit(office.schedule.id, { exceptions })
  await old.until(() => old.member(member.id) === undefined)
  await expect.poll(lacking).toEqual(['schedule_exceptions'])
  await old.close()

  // An update of the firmware brings it, a step back takes it away again.
  const updated = await loaded({ ...office.credentials, capabilities: able }, old)
  await updated.until(() => updated.holder('pin', '402917') === member.id)
  expect(updated.slice.schedules.get(office.schedule.id)).toMatchObject({
    exceptions: [{ starts_on: '2026-12-24', ranges: [] }],
  })
  expect(JSON.stringify([...updated.slice.schedules.values()])).not.toContain('Secret')
  expect(updated.slice.triggers.size).toBe(1)
  expect(await lacking()).toEqual([])
  await updated.close()
  const back = await loaded(office.credentials, updated)
  await back.until(() => back.member(member.id) === undefined)
  expect(await lacking()).toEqual(['schedule_exceptions'])
  await back.close()
})

test('devices that a gateway attaches share its capabilities', async () => {
  const office = await officeWithHolidays('Gateway')
  const gateway = await building(w, tenant, 'Gateway itself')
  for (const capabilities of [[], able]) {
    const device = await loaded({ ...gateway.credentials, capabilities })
    expect(device.slice.zones.size).toBe(capabilities.length === 0 ? 0 : 1)
    const journal = { id: `attached-${capabilities.length}`, last_sequence: 0 }
    device.send({ type: 'attach', ...attachable(office.credentials), journal })
    await device.next('attached')
    // The slice of the attached device takes the place of the gateway's own in the scripted device.
    await device.until(({ slice }) => slice.gadgets.has(office.door.id))
    expect(device.slice.groups.has(office.group.id)).toBe(capabilities.length > 0)
    await device.close()
  }
})

function attachable({ hardware_id, secret }: { hardware_id: string; secret: string }) {
  return { hardware_id, secret }
}

test('slices of old firmware without calendars have the bytes that they always had', async () => {
  const { client } = tenant
  const place = await building(w, tenant, 'As before')
  const schedule = await client.schedules.create({ name: 'Always', weekdays: always })
  await client.member_groups.edit(place.group.id, {
    permissions: [{ gadget_id: place.door.id, schedule_id: schedule.id }],
  })
  const frames: string[] = []
  const device = await ScriptedDevice.open(place.credentials)
  device.socket.on('message', data => frames.push(String(data)))
  device.hello()
  await device.until(({ policy }) => policy !== undefined)
  const part = frames.find(frame => frame.includes('"snapshot_part"')) ?? ''
  const { input_rules: _, capabilities } = device.slice.devices.get(place.device.id) as {
    input_rules: object[]
    capabilities: object
  }
  const ids = (list: readonly { id: string }[]) => list.map(({ id }) => ({ id }))
  const parts = {
    actions: ids(place.door.actions),
    states: ids(place.door.states),
    signals: ids(place.door.signals),
  }
  const put = {
    sites: [{ id: place.site.id, timezone: 'Europe/Madrid' }],
    devices: [{ id: place.device.id, site_id: place.site.id, capabilities, input_rules: [] }],
    gadgets: [{ id: place.door.id, site_id: place.site.id, device_id: place.device.id, ...parts }],
    schedules: [{ id: schedule.id, weekdays: always }],
    groups: [
      {
        id: place.group.id,
        permissions: [{ gadget_id: place.door.id, schedule_id: schedule.id, rule_index: 0 }],
      },
    ],
  }
  expect(part.slice(part.indexOf('{"sites"'))).toBe(`${JSON.stringify(put)}}`)
  await expect.poll(() => placesHash(place.device.id)).toMatch(/^[0-9a-f]{64}$/)
  const hash = createHash('sha256').update(frames.filter(frame => frame.includes('"snapshot_')).join(''))
  expect(device.policy?.hash).toBe(hash.digest('hex'))
  await device.close()
})

async function placesHash(device_id: string): Promise<string> {
  const [row] = await w.server.context.db.query<{ hash: string }>(
    'SELECT applied_places_hash AS hash FROM device_policies WHERE device_id = $1',
    [device_id],
  )
  return row?.hash ?? ''
}

test('an update of the firmware alone, and a month that passed, are deltas', async () => {
  const { client } = tenant
  const place = await building(w, tenant, 'Later')
  const { member } = await guest(tenant, place.group.id, '557788')
  const calendar = await client.calendars.create({ name: 'Days' })
  await client.calendar_days.create(calendar.id, { starts_on: '2026-12-25' })
  await client.calendar_days.create(calendar.id, { starts_on: '2032-01-06' })
  await client.sites.edit(place.site.id, { calendar_ids: [calendar.id] })
  const old = await loaded(place.credentials)
  expect(old.slice.zones.size).toBe(0)
  await old.close()
  const device = await loaded({ ...place.credentials, capabilities: able }, old)
  await device.until(() => daysOf(device, place.site.id)?.length === 1 && device.slice.zones.size === 1)
  expect(device.slice.zones.get('Europe/Madrid')).toMatchObject({ offset: 3600, changes: expect.any(Array) })
  expect(typesOf(device)).not.toContain('snapshot_begin')
  await device.until(() => typesOf(device).includes('delta'))
  await device.close()

  w.clock.set('2027-01-17T10:00:00Z')
  const again = await loaded({ ...place.credentials, capabilities: able }, device)
  await again.until(() => JSON.stringify(daysOf(again, place.site.id)).includes('2032-01-06'))
  expect(again.slice.sites.get(place.site.id)).toMatchObject({ days_until: '2032-02-29' })
  expect(typesOf(again)).not.toContain('snapshot_begin')
  w.clock.set('2027-02-17T10:00:00Z')
  await again.until(() => JSON.stringify(again.slice.sites.get(place.site.id)).includes('2032-03-31'))
  expect(again.holder('pin', '557788')).toBe(member.id)
  await again.close()
  const back = await loaded(place.credentials, again)
  await back.until(() => daysOf(back, place.site.id) === undefined)
  expect(typesOf(back)).not.toContain('snapshot_begin')
  await back.close()
})
