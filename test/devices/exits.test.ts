import { doorTemplates } from '@gatehouse-access/api'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addController, building } from './building.ts'
import { ScriptedDevice } from './scripted-device.ts'

let w: World
let tenant: Tenant

beforeAll(async () => {
  w = await world()
  tenant = await w.tenant()
})
afterAll(() => w[Symbol.asyncDispose]())

test('a door travels with its gadget while it is one, and nothing else changes', async () => {
  const { client } = tenant
  const place = await building(w, tenant)
  const { id } = place.door
  const device = await ScriptedDevice.connect(place.credentials)
  await device.until(({ policy }) => policy !== undefined)
  const row = () => device.slice.gadgets.get(id)
  const before = JSON.stringify(row())
  expect(before).not.toContain('door')
  await client.gadgets.edit(id, structuredClone(doorTemplates.magnetic))
  await device.until(() => JSON.stringify(row()) !== before)
  expect(row()).toMatchObject({
    door: { release_action_id: 'open', exit_signal_id: 'exit', egress: 'electric', on_stop: 'keep' },
  })
  await client.gadgets.edit(id, { actions: [{ id: 'open', name: 'Open' }], door: null })
  await device.until(() => !JSON.stringify(row()).includes('door'))
  await client.gadgets.edit(id, {
    states: structuredClone(place.door.states),
    signals: structuredClone(place.door.signals),
  })
  await device.until(() => JSON.stringify(row()) === before)
  await device.close()
})

test('a controller that cannot let people out of its electric door is shown as such', async () => {
  const { client } = tenant
  const place = await building(w, tenant)
  await client.gadgets.edit(place.door.id, structuredClone(doorTemplates.magnetic))
  const missing = async () => (await client.devices.get(place.device.id)).status.missing_capabilities
  const old = await ScriptedDevice.connect(place.credentials)
  await expect.poll(missing).toEqual(['doors'])
  await old.close()
  const device = await ScriptedDevice.open(place.credentials)
  device.hello({ capabilities: ['doors'] })
  await expect.poll(missing).toEqual([])
  await device.close()
})

test('an exit is recorded as a use by nobody, and only at a door of the device itself', async () => {
  const { client } = tenant
  const place = await building(w, tenant)
  const other = await addController(w, tenant, place.site.id, 'Back')
  const device = await ScriptedDevice.open(place.credentials)
  device.hello()
  expect((await device.next('welcome')).capabilities).toContain('doors')
  const occurred_at = w.clock.now()
  const exit = { type: 'exit', occurred_at, gadget_id: place.door.id, action_id: 'open', signal_id: 'bell' }
  device.device_id = place.device.id
  device.events([exit, { ...exit, gadget_id: other.door.id }, { ...exit, action_id: 'melt' }] as never)
  expect(await device.next('ack')).toMatchObject({ sequence: 3 })
  const { data } = await client.events.list({ 'object.gadget_id': place.door.id, verb: 'use' })
  expect(data).toMatchObject([
    {
      subject: { member_id: null, access_method: null },
      object: { type: 'gadget_action', gadget_action_id: 'open', gadget_signal_id: 'bell' },
    },
  ])
  const refused = await client.events.list({ 'object.device_id': place.device.id, verb: 'edit' })
  expect(refused.data.filter(({ object }) => object.reason === 'event_refused')).toHaveLength(2)
  expect((await client.events.list({ 'object.gadget_id': other.door.id, verb: 'use' })).data).toEqual([])
  await device.close()
})
