import { setTimeout as sleep } from 'node:timers/promises'
import { startServer } from '@gatehouse-access/server'
import { quickest, type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { building } from './building.ts'
import { ScriptedDevice } from './scripted-device.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

beforeAll(async () => {
  w = owned.use(await world({ devices: { command: 1500 } }))
  tenant = await w.tenant()
})
afterAll(() => owned.disposeAsync())

function open(gadget_id: string, headers: Record<string, string> = {}, url = w.url): Promise<Response> {
  return fetch(`${url}/v2/gadgets/${gadget_id}/actions/open`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.token}`, ...headers },
  })
}

async function usesOf(gadget_id: string) {
  const page = await tenant.client.events.list({ 'object.gadget_id': gadget_id, verb: 'use' })
  return page.data
}

test('an offline device answers at once, and nothing happens', async () => {
  const { door } = await building(w, tenant)
  const tryToOpen = async () => {
    const begin = performance.now()
    const answer = await open(door.id)
    expect(answer.status).toBe(409)
    expect(await answer.json()).toMatchObject({ type: 'hardware_offline' })
    return performance.now() - begin
  }
  expect(await quickest(1000, tryToOpen)).toBeLessThan(1000)
  expect(await usesOf(door.id)).toEqual([])
})

test('a connected device does it, once for each Idempotency-Key', async () => {
  const { door, credentials } = await building(w, tenant)
  const device = await ScriptedDevice.connect(credentials)
  const key = { 'idempotency-key': 'once' }
  expect((await open(door.id, key)).status).toBe(200)
  const repeat = await open(door.id, key)
  expect(repeat.status).toBe(200)
  expect(repeat.headers.get('idempotent-replayed')).toBe('true')
  const command = await device.next('command')
  expect(command).toMatchObject({ device_id: device.device_id, gadget_id: door.id, action_id: 'open' })
  expect(Date.parse(command.deadline) - Date.parse(w.clock.now())).toBeLessThanOrEqual(10_000)
  expect(device.received.filter(({ type }) => type === 'command')).toEqual([])
  expect(await usesOf(door.id)).toHaveLength(1)
  await device.close()
})

test('a device that says nothing: 504, kept for the key, and what comes late still leaves its event', async () => {
  const { door, credentials } = await building(w, tenant)
  const device = await ScriptedDevice.connect(credentials)
  device.onCommand = () => undefined
  const key = { 'idempotency-key': 'slow' }
  const answer = await open(door.id, key)
  expect(answer.status).toBe(504)
  expect(await answer.json()).toMatchObject({ type: 'hardware_timeout' })
  expect((await open(door.id, key)).status).toBe(504)
  const { id, device_id } = await device.next('command')
  expect(device.received.filter(({ type }) => type === 'command')).toEqual([])
  expect(await usesOf(door.id)).toEqual([])
  device.send({ type: 'outcome', device_id, id, outcome: 'done' })
  await expect.poll(() => usesOf(door.id).then(uses => uses.length)).toBe(1)
  await device.close()
})

test('a door that opened while nothing could be stored is not opened again by a repeat; its event comes when it is told anew', async () => {
  const { door, credentials, device: row } = await building(w, tenant)
  const { db } = w.server.context
  const device = await ScriptedDevice.connect(credentials)
  device.onCommand = () => undefined
  const key = { 'idempotency-key': 'lost event' }
  const answer = open(door.id, key)
  const { id } = await device.next('command')
  await db.query('ALTER TABLE events RENAME TO events_away')
  device.send({ type: 'outcome', device_id: row.id, id, outcome: 'done' })
  expect((await answer).status).toBe(504)
  await db.query('ALTER TABLE events_away RENAME TO events')
  const repeat = await open(door.id, key)
  expect([repeat.status, repeat.headers.get('idempotent-replayed')]).toEqual([504, 'true'])
  expect(await usesOf(door.id)).toEqual([])
  await device.close()

  const again = await ScriptedDevice.connect(credentials, device)
  again.send({ type: 'outcome', device_id: row.id, id, outcome: 'done' })
  await expect.poll(() => usesOf(door.id).then(uses => uses.length)).toBe(1)
  expect(again.received.filter(({ type }) => type === 'command')).toEqual([])
  await again.close()
})

test.each([
  ['failed', 502],
  ['refused', 502],
  ['timed_out', 504],
] as const)('a device that answers %s: %i and no event', async (outcome, status) => {
  const { door, credentials } = await building(w, tenant)
  const device = await ScriptedDevice.connect(credentials)
  device.onCommand = () => outcome
  expect((await open(door.id)).status).toBe(status)
  expect(await usesOf(door.id)).toEqual([])
  await device.close()
})

test('a device answers for its own commands only', async () => {
  const [first, second] = [await building(w, tenant), await building(w, tenant)]
  const device = await ScriptedDevice.connect(first.credentials)
  const other = await ScriptedDevice.connect(second.credentials)
  device.onCommand = ({ id }) => {
    other.send({ type: 'outcome', device_id: other.device_id, id, outcome: 'done' })
    return undefined
  }
  expect((await open(first.door.id)).status).toBe(504)
  for (const each of [device, other]) await each.close()
})

test('a request reaches the device whichever process holds it', async () => {
  const { door, credentials, device: row } = await building(w, tenant)
  await using second = await startServer(
    { ...w.server.context.config, port: 0 },
    { clock: w.clock, jobs: false, delivery: false },
  )
  const device = await ScriptedDevice.connect({ ...credentials, url: second.url })
  expect((await open(door.id)).status).toBe(200)
  expect((await tenant.client.devices.get(row.id)).status.online).toBe(true)

  const elsewhere = await ScriptedDevice.connect(credentials)
  expect(await device.closed).toMatchObject({ code: 4409 })
  expect((await tenant.client.devices.get(row.id)).status.online).toBe(true)
  expect((await open(door.id, {}, second.url)).status).toBe(200)
  await elsewhere.next('command')
  await elsewhere.close()
  await expect.poll(async () => (await tenant.client.devices.get(row.id)).status.online).toBe(false)
  await sleep(10)
  expect((await open(door.id)).status).toBe(409)
})

test('what a device did for a process that has died leaves its event, also when it is told on another connection', async () => {
  const { door, credentials, device: row } = await building(w, tenant)
  const device = await ScriptedDevice.connect(credentials)
  device.onCommand = () => undefined
  const asking = await startServer(
    { ...w.server.context.config, port: 0 },
    { clock: w.clock, jobs: false, delivery: false },
  )
  const place = { organization_id: tenant.organization_id, device_id: row.id, gadget_id: door.id }
  const object = { type: 'gadget_action', gadget_action_id: 'open', site_id: row.site_id, ...place } as const
  const { hardware_id } = credentials
  const command = { ...place, hardware_id, action_id: 'open', event: { subject: {}, object } }
  void asking.context.commands.run(command)
  const { id } = await device.next('command')
  await asking[Symbol.asyncDispose]()
  await device.close()

  const again = await ScriptedDevice.connect(credentials, device)
  for (let repeat = 0; repeat < 2; repeat++)
    again.send({ type: 'outcome', device_id: row.id, id, outcome: 'done' })
  await expect.poll(() => usesOf(door.id).then(uses => uses.length)).toBe(1)
  await again.close()
  expect(await usesOf(door.id)).toHaveLength(1)
})

test('an input rule reaches a gadget of another device, and nothing else does', async () => {
  const { client } = tenant
  const place = await building(w, tenant)
  const keypad = await client.devices.create({
    name: 'Keypad',
    site_id: place.site.id,
    product_id: 'keypad',
    hardware_id: 'hw_FORWARD-1',
  })
  await client.devices.edit(keypad.id, {
    input_rules: [{ code: '', gadget_id: place.door.id, action_id: 'open' }],
  })
  const { secret } = await client.devices.issue_credentials(keypad.id)
  const reader = await ScriptedDevice.connect({ url: w.url, hardware_id: 'hw_FORWARD-1', secret })
  const ask = async (gadget_id: string) => {
    reader.send({ type: 'forward', device_id: keypad.id, id: 'forward-1', gadget_id, action_id: 'open' })
    return (await reader.next('forwarded')).outcome
  }
  expect(await ask(place.door.id)).toBe('offline')
  const door = await ScriptedDevice.connect(place.credentials)
  expect(await ask(place.door.id)).toBe('done')
  expect(await ask((await building(w, tenant)).door.id)).toBe('refused')
  for (const each of [reader, door]) await each.close()
})
