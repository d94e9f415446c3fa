import { closeVirtualDoors } from '@gatehouse-access/server'
import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

let w: World
beforeAll(async () => {
  w = await world({ delivery: true })
})
afterAll(() => w[Symbol.asyncDispose]())

const named = (...ids: string[]) => ids.map(id => ({ id, name: id }))
const gate = {
  actions: named('open', 'hold', 'secure'),
  states: named('closed', 'open'),
  signals: named('exit', 'tamper'),
  door: {
    release_action_id: 'open',
    hold_action_id: 'hold',
    secure_action_id: 'secure',
    exit_signal_id: 'exit',
    tamper_signal_id: 'tamper',
    open_state_id: 'open',
    closed_state_id: 'closed',
  },
}
const hour = 3600
const office = Array(7).fill({ ranges: [{ start: 8 * hour, end: 18 * hour }] })

/** A virtual controller with a gate and a siren, and time that the test moves. */
async function openHouse(now = '2026-06-01T05:00:00Z') {
  w.clock.set(now)
  const tenant = await w.tenant()
  const { client } = tenant
  const site = await client.sites.create({ name: 'House', timezone: 'Europe/Madrid' })
  const device = await client.devices.create({ name: 'Box', site_id: site.id, product_id: 'controller' })
  const { id } = await client.gadgets.create({ name: 'Gate', device_id: device.id, ...gate })
  const siren = await client.gadgets.create({
    name: 'Siren',
    device_id: device.id,
    actions: named('on', 'off'),
    states: named('on', 'off'),
    signals: [],
  })
  const house = {
    ...tenant,
    site,
    device,
    id,
    siren,
    state: (state_id: string) => client.devices.simulate(device.id, { state: { gadget_id: id, state_id } }),
    signal: (signal_id: string) =>
      client.devices.simulate(device.id, { signal: { gadget_id: id, signal_id } }),
    /** The service looks at its virtual doors after so many seconds, as it does once a second. */
    async pass(seconds: number): Promise<void> {
      w.clock.advance(seconds)
      await closeVirtualDoors(w.server.context)
    },
    /** Type, when it began and ended in seconds, and whether it was late. */
    async alarms() {
      const { data } = await client.alarms.list({ sort: 'started_at:asc' })
      const since = (time: string | null) => time && (Date.parse(time) - Date.parse(now)) / 1000
      return data.map(alarm => [alarm.type, since(alarm.started_at), since(alarm.ended_at)])
    },
  }
  await house.state('closed')
  return house
}

test('a virtual door that is opened without a release is forced 2 s later, and over when it closes', async () => {
  const house = await openHouse()
  await house.pass(10)
  await house.state('open')
  await house.pass(1.9)
  expect(await house.alarms()).toEqual([])
  await house.pass(0.1)
  expect(await house.alarms()).toEqual([['door_forced', 10, null]])
  await house.pass(5)
  await house.state('closed')
  await house.pass(0.3)
  expect(await house.alarms()).toEqual([['door_forced', 10, 17]])
  const [alarm] = (await house.client.alarms.list()).data
  expect(alarm).toMatchObject({
    severity: 'critical',
    state: 'open',
    is_over: true,
    gadget_id: house.id,
    device_id: house.device.id,
    site_id: house.site.id,
    is_late: false,
  })
  const told = await house.client.events.list({ 'object.type': 'alarm', sort: 'created_at:asc' })
  expect(told.data.map(({ verb, object }) => [verb, object.reason])).toEqual([
    ['create', undefined],
    ['edit', 'ended'],
  ])
})

test('nobody has to look: a door that was opened wakes its device when it counts as forced', async () => {
  const house = await openHouse()
  await house.pass(10)
  await house.state('open')
  w.clock.advance(2)
  await expect.poll(house.alarms).toEqual([['door_forced', 10, null]])
})

test.each([
  [1.5, 0],
  [2.5, 1],
])('an exit signal %d s after the opening: %d alarms', async (seconds, count) => {
  const house = await openHouse()
  await house.pass(10)
  await house.state('open')
  await house.pass(seconds)
  await house.signal('exit')
  await house.pass(5)
  expect(await house.alarms()).toHaveLength(count)
})

test('a release, chatter and a door that closes by itself while nobody looks raise nothing', async () => {
  const house = await openHouse()
  await house.pass(10)
  await house.client.gadgets.run_action(house.id, 'open')
  // The service was down: the door closed after 5 s all the same.
  await house.pass(600)
  await house.state('open')
  w.clock.advance(0.2)
  await house.state('closed')
  await house.pass(60)
  expect(await house.alarms()).toEqual([])
})

test('a door that stands open when its rule ends is held, counted from the turn, and ends when it closes', async () => {
  const house = await openHouse('2026-06-01T15:00:00Z')
  const schedule = await house.client.schedules.create({ name: 'Office', weekdays: office })
  await house.client.unlock_rules.create({
    name: 'Office',
    site_id: house.site.id,
    gadget_ids: [house.id],
    schedule_id: schedule.id,
  })
  await expect.poll(async () => (await house.client.gadgets.get(house.id)).state_id).toBe('open')
  // Somebody puts a wedge under it.
  await house.state('open')
  await house.pass(hour + 0.7)
  expect((await house.client.gadgets.get(house.id)).mode?.effective).toBe('controlled')
  await house.pass(29)
  expect(await house.alarms()).toEqual([])
  await house.pass(1)
  expect(await house.alarms()).toEqual([['door_held', hour + 30, null]])
  await house.pass(9.3)
  await house.state('closed')
  await house.pass(1)
  expect(await house.alarms()).toEqual([['door_held', hour + 30, hour + 40]])
})

test('a siren sounds while the door is forced, also offline', async () => {
  const house = await openHouse()
  for (const [source_alarm_event, target_action_id] of [
    ['begin', 'on'],
    ['end', 'off'],
  ] as const)
    await house.client.gadget_triggers.create({
      source_type: 'alarm',
      source_gadget_id: house.id,
      source_alarm_type: 'door_forced',
      source_alarm_event,
      target_gadget_id: house.siren.id,
      target_action_id,
    })
  const siren = async () => (await house.client.gadgets.get(house.siren.id)).state_id
  await house.pass(10)
  await house.state('open')
  await house.pass(2)
  expect(await siren()).toBe('on')
  await house.client.devices.simulate(house.device.id, { network: 'offline' })
  await house.state('closed')
  await house.pass(1)
  await house.client.devices.simulate(house.device.id, { network: 'online' })
  expect(await siren()).toBe('off')
})

test('what happened while a controller was offline is recorded as it was, and what is still on stays on', async () => {
  const house = await openHouse()
  const doors = [house.id]
  for (let number = 2; number <= 6; number++) {
    const { id } = await house.client.gadgets.create({
      name: `${number}`,
      device_id: house.device.id,
      ...gate,
    })
    doors.push(id)
  }
  const state = (gadget_id: string, state_id: string) =>
    house.client.devices.simulate(house.device.id, { state: { gadget_id, state_id } })
  await house.client.devices.simulate(house.device.id, { network: 'offline' })
  await house.pass(10)
  for (const id of doors) await state(id, 'open')
  await house.pass(hour)
  const [open, ...others] = doors
  for (const id of others) await state(id, 'closed')
  await house.pass(6 * hour)
  expect(await house.alarms()).toEqual([])
  await house.client.devices.simulate(house.device.id, { network: 'online' })
  const { data } = await house.client.alarms.list()
  const since = (time: string | null) =>
    time && Math.round((Date.parse(time) - Date.parse('2026-06-01T05:00:00Z')) / 1000)
  expect(data).toHaveLength(doors.length)
  for (const { gadget_id, type, is_late, is_over, started_at, ended_at } of data)
    expect([type, is_late, is_over, since(started_at), since(ended_at)]).toEqual([
      'door_forced',
      true,
      gadget_id !== open,
      10,
      gadget_id === open ? null : 10 + hour,
    ])
})

test('a trigger by an alarm names a door that can have it', async () => {
  const house = await openHouse()
  const body = {
    source_type: 'alarm' as const,
    source_gadget_id: house.id,
    source_alarm_type: 'door_held' as const,
    source_alarm_event: 'begin' as const,
    target_gadget_id: house.siren.id,
    target_action_id: 'on',
  }
  const refused = (changes: object, field: string) =>
    expect(house.client.gadget_triggers.create({ ...body, ...changes })).rejects.toMatchObject({
      status: 400,
      args: { field },
    })
  await refused({ source_gadget_id: house.siren.id }, 'source_gadget_id')
  await refused({ source_alarm_event: null }, 'source_alarm_event')
  await refused({ source_state_id: 'open' }, 'source_state_id')
  await house.client.gadgets.edit(house.id, { door: { ...gate.door, tamper_signal_id: null } })
  await refused({ source_alarm_type: 'door_tampered' }, 'source_alarm_type')
  const made = await house.client.gadget_triggers.create(body)
  expect(made).toMatchObject({ ...body, source_state_id: null, source_schedule_id: null })
})
