import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addController, building } from './building.ts'
import { ScriptedDevice } from './scripted-device.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

beforeAll(async () => {
  w = owned.use(await world())
  tenant = await w.tenant()
})
afterAll(() => owned.disposeAsync())

async function reasonsOf(filter: Record<string, string>) {
  const { data } = await tenant.client.events.list({ ...filter, verb: 'edit', limit: 100 })
  return data.map(({ object }) => object.reason).filter(reason => reason && reason !== 'online')
}

async function guess(
  device: ScriptedDevice,
  gadget_id: string,
  access_method: 'pin' | 'card',
  times: number,
) {
  const denial = {
    type: 'denial',
    gadget_id,
    action_id: 'open',
    access_method,
    reason: 'unknown_credential',
  } as const
  device.events(Array.from({ length: times }, () => ({ ...denial, occurred_at: w.clock.now() })))
  await device.next('ack')
}

test('more wrong PINs than the budget of a keypad are told of once an hour; cards are counted apart', async () => {
  const place = await building(w, tenant)
  const device = await ScriptedDevice.connect(place.credentials)
  const reasons = () => reasonsOf({ 'object.device_id': place.device.id })
  await guess(device, place.door.id, 'pin', 20)
  await guess(device, place.door.id, 'card', 20)
  expect(await reasons()).toEqual([])
  await guess(device, place.door.id, 'pin', 1)
  await guess(device, place.door.id, 'pin', 5)
  expect(await reasons()).toEqual(['pin_guessing'])
  await guess(device, place.door.id, 'card', 1)
  expect(await reasons()).toEqual(['card_guessing', 'pin_guessing'])
  await device.close()
})

test('wrong PINs all over a site make every keypad of it strict', async () => {
  const place = await building(w, tenant)
  const watching = await ScriptedDevice.connect(place.credentials)
  await watching.next('snapshot_end')
  for (let keypad = 0; keypad < 4; keypad++) {
    const { door, credentials } = await addController(w, tenant, place.site.id, 'Keypad')
    const device = await ScriptedDevice.connect(credentials)
    await guess(device, door.id, 'pin', 16)
    await device.close()
  }
  const siteEvents = () => reasonsOf({ 'object.site_id': place.site.id, 'object.type': 'site' })
  expect(await siteEvents()).toEqual(['pin_guessing'])
  await watching.until(({ slice }) => {
    const site = slice.sites.get(place.site.id) as { pins_alarmed_until?: string } | undefined
    return (site?.pins_alarmed_until ?? '') > w.clock.now()
  })
  expect(await tenant.client.sites.get(place.site.id)).not.toHaveProperty('pins_alarmed_until')
  await watching.close()
})

test('a virtual keypad counts as a real one', async () => {
  const { client } = tenant
  const site = await client.sites.create({ name: 'S', timezone: 'UTC' })
  const lock = await client.devices.create({ name: 'L', site_id: site.id, product_id: 'roomlock' })
  for (let burst = 0; burst < 5; burst++) {
    await client.devices.simulate(lock.id, { keys: '999999#'.repeat(5) })
    w.clock.advance(301)
  }
  expect(await reasonsOf({ 'object.device_id': lock.id, 'object.type': 'device' })).toContain('pin_guessing')
})
