import { capabilityNames } from '@gatehouse-access/api'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ScriptedDevice } from '../devices/scripted-device.ts'
import { addDoor, wiredBuilding } from '../doors/wired-building.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant
let place: Awaited<ReturnType<typeof wiredBuilding>>

beforeAll(async () => {
  w = owned.use(await world({ delivery: true }))
  tenant = await w.tenant()
  place = await wiredBuilding(w, tenant, 1)
})
afterAll(() => owned.disposeAsync())

async function connect(credentials: Parameters<typeof ScriptedDevice.connect>[0]): Promise<ScriptedDevice> {
  const device = await ScriptedDevice.connect(credentials)
  owned.defer(() => device.close())
  await device.until(({ policy }) => policy !== undefined)
  return device
}

/** Uploads events, twice, as after a connection that broke before the service could answer. */
async function report(
  device: ScriptedDevice,
  events: Parameters<ScriptedDevice['events']>[0],
): Promise<void> {
  const before = device.last_sequence
  for (let time = 0; time < 2; time++) {
    device.last_sequence = before
    device.events(events)
    await device.next('ack')
  }
}

const alarmsOf = async (gadget_id: string) => (await tenant.client.alarms.list({ gadget_id })).data

test('what a controller reports is recorded once, however often it is sent', async () => {
  const { door, credentials } = await addDoor(w, tenant, place.site.id, 2)
  const device = await connect(credentials)
  const now = Date.parse(w.clock.now())
  const at = (seconds: number) => new Date(now + seconds * 1000).toISOString()
  const common = { type: 'alarm', gadget_id: door.id, alarm_type: 'door_forced' } as const
  w.clock.advance(3600)
  const begin = { ...common, occurred_at: at(12), is_over: false, started_at: at(10) }
  const end = { ...common, occurred_at: at(20.3), is_over: true, started_at: at(10), ended_at: at(20) }
  await report(device, [begin, end])
  const [alarm, ...others] = await alarmsOf(door.id)
  expect(others).toEqual([])
  expect(alarm).toMatchObject({
    type: 'door_forced',
    is_over: true,
    is_late: true,
    device_id: door.device_id,
  })
  const seconds = (time: string | null | undefined) => Math.round((Date.parse(time ?? '') - now) / 1000)
  expect([seconds(alarm?.started_at), seconds(alarm?.ended_at)]).toEqual([10, 20])
})

test('a clock that is wrong is corrected, and nobody reports alarms of others', async () => {
  const { door, credentials } = await addDoor(w, tenant, place.site.id, 3)
  const device = await connect(credentials)
  const ahead = (seconds: number) => new Date(Date.parse(w.clock.now()) + seconds * 1000).toISOString()
  const alarm = { type: 'alarm', alarm_type: 'door_held', is_over: false } as const
  const [first] = place.doors
  if (!first) throw new Error('no door')
  await report(device, [
    { ...alarm, gadget_id: door.id, occurred_at: ahead(86_400), started_at: ahead(86_399) },
    { ...alarm, gadget_id: first.door.id, occurred_at: ahead(86_401), started_at: ahead(86_400) },
  ])
  const [found] = await alarmsOf(door.id)
  expect(found?.started_at && found.started_at < w.clock.now()).toBe(true)
  expect(await alarmsOf(first.door.id)).toEqual([])
  const refused = await tenant.client.events.list({ 'object.device_id': door.device_id, verb: 'edit' })
  expect(refused.data.map(({ object }) => object.reason)).toContain('event_refused')
})

test('a controller without the capability is not sent triggers of alarms, and says what it lacks', async () => {
  const { client } = tenant
  const { device, door, credentials } = await addDoor(w, tenant, place.site.id, 4)
  const trigger = await client.gadget_triggers.create({
    source_type: 'alarm',
    source_gadget_id: door.id,
    source_alarm_type: 'door_held',
    source_alarm_event: 'begin',
    target_gadget_id: door.id,
    target_action_id: 'secure',
  })
  const old = await connect({
    ...credentials,
    capabilities: capabilityNames.filter(name => name !== 'door_monitor'),
  })
  expect([...old.slice.triggers.keys()]).toEqual([])
  await expect
    .poll(async () => (await client.devices.get(device.id)).status.missing_capabilities)
    .toEqual(['door_monitor'])
  await old.close()
  const current = await connect(credentials)
  expect(current.slice.triggers.get(trigger.id)).toMatchObject({
    source_type: 'alarm',
    source_alarm_type: 'door_held',
    source_alarm_event: 'begin',
  })
})
