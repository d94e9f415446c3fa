import { setTimeout as sleep } from 'node:timers/promises'
import { doorTemplates } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import { slowness, type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { grace } from '../../packages/server/src/alarms/presence-watch.ts'
import { tendAlarms } from '../../packages/server/src/alarms/tend-alarms.ts'
import { building } from '../devices/building.ts'
import { ScriptedDevice } from '../devices/scripted-device.ts'
import { plantAlarm } from '../properties/plant-alarms.ts'
import { settled } from './settled.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

beforeAll(async () => {
  w = owned.use(await world({ delivery: true, devices: { sweep: 200 } }))
  tenant = await w.tenant()
})
afterAll(() => owned.disposeAsync())

const tend = () => tendAlarms(w.server.context)
const alarmsOf = async (device_id: string) => (await tenant.client.alarms.list({ device_id })).data

async function lose(device: ScriptedDevice, id: string) {
  await device.close()
  await expect.poll(async () => (await tenant.client.devices.get(id)).status.online).toBe(false)
  await settled(w)
}

test('a device is offline after its delay, and not while the service has just started', async () => {
  const { device, credentials } = await building(w, tenant)
  await lose(await ScriptedDevice.connect(credentials), device.id)
  w.clock.advance(grace + 299)
  await tend()
  expect(await alarmsOf(device.id)).toEqual([])
  w.clock.advance(2)
  await tend()
  expect(await alarmsOf(device.id)).toMatchObject([
    { type: 'device_offline', severity: 'warning', state: 'open', is_over: false, is_late: false },
  ])
  await ScriptedDevice.connect(credentials)
  await settled(w)
  expect(await alarmsOf(device.id)).toMatchObject([{ is_over: true, state: 'open' }])
})

test('a device that falls silent raises its alarm 45 s after its last message, give or take 2 s', async () => {
  const { device, credentials } = await building(w, tenant)
  await tenant.client.alarm_rules.create({
    name: 'At once',
    types: ['device_offline'],
    targets: { device_ids: [device.id] },
    delay_seconds: 0,
    notify: [{ role: 'owner' }],
  })
  const silent = await ScriptedDevice.connect(credentials)
  await silent.until(({ policy }) => policy !== undefined)
  silent.confirms = false
  w.clock.advance(grace + 1)
  const heard = w.timers.elapsed()
  silent.send({ type: 'ping', sent_at: w.clock.now() })
  await silent.next('pong')
  w.timers.advance(40_500)
  const isOpen = () => silent.socket.readyState === silent.socket.OPEN
  for (; isOpen(); w.timers.advance(50)) await sleep(10)
  const lost = w.timers.elapsed() - heard
  await expect.poll(async () => (await tenant.client.devices.get(device.id)).status.online).toBe(false)
  await settled(w)
  await tend()
  expect(await alarmsOf(device.id)).toMatchObject([{ type: 'device_offline' }])
  expect(lost).toBeGreaterThan(43_000)
  expect(lost).toBeLessThan(45_000 + 2000 * slowness())
})

test('alarms that are not closed follow their device to another site', async () => {
  const { client } = tenant
  const { device, door } = await building(w, tenant)
  const { context } = w.server
  const plant = () =>
    plantAlarm(context, tenant.organization_id, { site: door.site_id, device: device.id, gadget: door.id })
  const closed = await plant()
  await client.alarms.close(closed.id)
  const open = await plant()
  const other = await client.sites.create({ name: 'Elsewhere', timezone: 'UTC' })
  await client.devices.edit(device.id, { site_id: other.id })
  await settled(w)
  expect([(await client.alarms.get(closed.id)).site_id, (await client.alarms.get(open.id)).site_id]).toEqual([
    door.site_id,
    other.id,
  ])
  const { data } = await client.events.list({ 'object.alarm_id': open.id, verb: 'edit' })
  expect(data).toMatchObject([{ object: { reason: 'moved', site_id: other.id } }])
})

test('the delay is exact, and a device that comes back within it raises nothing', async () => {
  const { device, credentials } = await building(w, tenant)
  const first = await ScriptedDevice.connect(credentials)
  await lose(first, device.id)
  w.clock.advance(299)
  await tend()
  const second = await ScriptedDevice.connect(credentials, first)
  await settled(w)
  await lose(second, device.id)
  w.clock.advance(299.5)
  await tend()
  expect(await alarmsOf(device.id)).toEqual([])
  w.clock.advance(0.5)
  await tend()
  const [alarm] = await alarmsOf(device.id)
  expect(alarm).toMatchObject({ type: 'device_offline', occurrence_count: 1 })
  const since = Date.parse(alarm?.recorded_at ?? '') - Date.parse(alarm?.started_at ?? '')
  expect(since).toBeGreaterThanOrEqual(300_000)
  expect(since).toBeLessThan(302_000)
})

test('power and battery: after a minute, and critical when almost empty', async () => {
  const { device, credentials } = await building(w, tenant)
  const connected = await ScriptedDevice.connect(credentials)
  const report = async (status: object) => {
    connected.send({ type: 'status', device_id: device.id, ...status })
    await expect.poll(async () => (await tenant.client.devices.get(device.id)).status).toMatchObject(status)
  }
  const types = async () =>
    (await alarmsOf(device.id)).map(({ type, severity, is_over }) => `${type} ${severity} ${is_over}`).sort()
  await report({ mains_present: true, battery_present: true, battery_percent: 25 })
  await report({ mains_present: false, battery_percent: 19 })
  w.clock.advance(59)
  await tend()
  expect(await types()).toEqual([])
  w.clock.advance(2)
  await tend()
  expect(await types()).toEqual(['device_battery_low warning false', 'device_power_lost warning false'])
  await report({ battery_percent: 9 })
  expect(await types()).toEqual(['device_battery_low critical false', 'device_power_lost warning false'])
  await report({ mains_present: true, battery_percent: 20 })
  expect(await types()).toEqual(['device_battery_low critical true', 'device_power_lost warning true'])
})

test('a clock that is not to be trusted, and events that were lost', async () => {
  const { device, credentials } = await building(w, tenant)
  const connected = await ScriptedDevice.connect(credentials)
  const types = async () =>
    (await alarmsOf(device.id)).map(({ type, is_over }) => `${type} ${is_over}`).sort()
  const upload = async (clock: { clock_unsure?: true }) => {
    const from_sequence = connected.last_sequence + 1
    connected.events([{ type: 'lost', from_sequence, count: 1, occurred_at: w.clock.now(), ...clock }])
    await connected.next('ack')
    await settled(w)
  }
  await upload({ clock_unsure: true })
  expect(await types()).toEqual(['device_clock_unsure false', 'device_events_lost true'])
  await upload({})
  expect(await types()).toEqual(['device_clock_unsure true', 'device_events_lost true'])
})

test('a gateway that is offline explains its attached devices, until it is back', async () => {
  const { client } = tenant
  const gateway = await building(w, tenant)
  const attached = await building(w, tenant)
  const connected = await ScriptedDevice.connect(gateway.credentials)
  const { hardware_id, secret } = attached.credentials
  connected.send({ type: 'attach', hardware_id, secret, journal: { id: 'attached', last_sequence: 0 } })
  await connected.next('attached')
  await lose(connected, gateway.device.id)
  await expect.poll(async () => (await client.devices.get(attached.device.id)).status.online).toBe(false)
  await settled(w)
  w.clock.advance(302)
  await tend()
  w.clock.advance(2)
  await tend()
  const [cause] = await alarmsOf(gateway.device.id)
  expect(cause).toMatchObject({ type: 'device_offline', cause_alarm_id: null })
  expect(await alarmsOf(attached.device.id)).toMatchObject([{ cause_alarm_id: cause?.id, is_over: false }])
  // The gateway comes back, the device does not: then it stands for itself after its own delay.
  await ScriptedDevice.connect(gateway.credentials, connected)
  await settled(w)
  w.clock.advance(299)
  await tend()
  expect(await alarmsOf(attached.device.id)).toMatchObject([{ cause_alarm_id: cause?.id }])
  w.clock.advance(2)
  await tend()
  expect(await alarmsOf(attached.device.id)).toMatchObject([{ cause_alarm_id: null, is_over: false }])
})

test('firmware that is too old for its doors, in maintenance', async () => {
  const { client } = tenant
  const place = await building(w, tenant)
  await client.gadgets.edit(place.door.id, structuredClone(doorTemplates.magnetic))
  await client.devices.maintenance(place.device.id, { until: addSeconds(w.clock.now(), 600) })
  const old = await ScriptedDevice.connect(place.credentials)
  await expect
    .poll(() => alarmsOf(place.device.id))
    .toMatchObject([{ type: 'device_outdated', severity: 'info', is_over: false, in_maintenance: true }])
  await old.close()
  await ScriptedDevice.connect({
    ...place.credentials,
    capabilities: ['doors', 'door_modes', 'door_monitor'],
  })
  await expect.poll(() => alarmsOf(place.device.id)).toMatchObject([{ is_over: true }])
})
