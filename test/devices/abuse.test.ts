import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { building } from './building.ts'
import { ScriptedDevice } from './scripted-device.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

beforeAll(async () => {
  w = owned.use(await world({ log_level: 'fatal' }))
  tenant = await w.tenant()
})
afterAll(() => owned.disposeAsync())

test('many simulations at once take neither all connections to the database nor long', async () => {
  const { client } = tenant
  const site = await client.sites.create({ name: 'S', timezone: 'UTC' })
  const keypad = await client.devices.create({ name: 'K', site_id: site.id, product_id: 'keypad' })
  const others = await w.tenant('Others')
  const simulations = Array.from({ length: 40 }, () => client.devices.simulate(keypad.id, { keys: '1#' }))
  const all = Promise.all(simulations)
  const first = await Promise.race([others.client.members.list({}), all])
  expect(first).toHaveProperty('data')
  await all
})

test('actions on a virtual device with a fault take turns without waiting for each other for ever', async () => {
  const { client } = tenant
  const site = await client.sites.create({ name: 'S', timezone: 'UTC' })
  const device = await client.devices.create({ name: 'C', site_id: site.id, product_id: 'controller' })
  const actions = [{ id: 'open', name: 'Open' }]
  const door = await client.gadgets.create({ name: 'D', device_id: device.id, actions })
  await client.devices.simulate(device.id, { fault: 'wrong_clock' })
  const runs = Array.from({ length: 40 }, () =>
    client.gadgets.run_action(door.id, 'open', {}).catch(() => undefined),
  )
  await Promise.all(runs)
})

test('simulations that wait for real hardware leave connections to everybody else', async () => {
  const place = await building(w, tenant)
  const { client } = tenant
  const keypad = await client.devices.create({ name: 'K', site_id: place.site.id, product_id: 'keypad' })
  await client.devices.edit(keypad.id, {
    input_rules: [{ code: '', gadget_id: place.door.id, action_id: 'open' }],
  })
  const member = await client.members.create({})
  await client.member_group_associations.create(member.id, { member_group_id: place.group.id })
  await client.member_pins.create(member.id, { pin: '518203' })
  const device = await ScriptedDevice.connect(place.credentials)
  device.onCommand = () => undefined
  const simulations = Array.from({ length: 20 }, () =>
    client.devices.simulate(keypad.id, { keys: '518203#' }).catch(() => undefined),
  )
  await device.next('command')
  const held = async () => {
    const [row] = await w.server.context.db.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'`,
    )
    return row?.count
  }
  await expect.poll(held).toBe(0)
  const others = await w.tenant('Others')
  const first = await Promise.race([others.client.members.list({}), ...simulations])
  expect(first).toHaveProperty('data')
  device.onCommand = () => 'done'
  await device.close()
  await Promise.all(simulations)
})

test('a device that begins ever new journals is remembered with the last few', async () => {
  const place = await building(w, tenant)
  const device = await ScriptedDevice.connect(place.credentials)
  const ring = { type: 'signal', gadget_id: place.door.id, signal_id: 'bell' } as const
  for (let count = 0; count < 50; count++) {
    device.journal_id = randomBytes(9).toString('base64url')
    device.last_sequence = 0
    device.events([{ ...ring, occurred_at: w.clock.now() }])
    expect(await device.next('ack')).toMatchObject({ journal_id: device.journal_id, sequence: 1 })
  }
  const [row] = await w.server.context.db.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM device_journals WHERE device_id = $1',
    [place.device.id],
  )
  expect(row?.count).toBeLessThanOrEqual(32)
  device.last_sequence = 0
  device.events([{ ...ring, occurred_at: w.clock.now() }])
  expect(await device.next('ack')).toMatchObject({ sequence: 1 })
  await device.close()
})

test('what a device uploads faster than it is stored waits with the device, not in our memory', async () => {
  const place = await building(w, tenant)
  const device = await ScriptedDevice.connect(place.credentials)
  const denial = {
    type: 'denial',
    occurred_at: w.clock.now(),
    sequence: 1,
    access_method: 'pin',
    reason: 'unknown_credential',
    action_id: 'x'.repeat(64),
  }
  const events = Array.from({ length: 500 }, (_, index) => ({ ...denial, sequence: index + 1 }))
  const text = JSON.stringify({
    type: 'events',
    device_id: device.device_id,
    journal_id: device.journal_id,
    events,
  })
  const messages = 90
  await w.server.context.db.transaction(async db => {
    await db.query('LOCK TABLE devices IN EXCLUSIVE MODE')
    for (let count = 0; count < messages; count++) device.socket.send(text.padEnd(250_000))
    await untilStill(() => device.socket.bufferedAmount)
    expect(device.socket.bufferedAmount).toBeGreaterThan(4 * 1024 * 1024)
  })
  for (let count = 0; count < messages; count++)
    expect(await device.next('ack', 10_000)).toMatchObject({ sequence: 500 })
  await device.close()
})

test('a question to another device that cannot be asked ends the connection, not the service', async () => {
  const place = await building(w, tenant)
  const device = await ScriptedDevice.connect(place.credentials)
  const { db } = w.server.context
  await db.query('ALTER TABLE gadgets RENAME TO gadgets_gone')
  try {
    device.send({
      type: 'forward',
      device_id: place.device.id,
      id: 'forward-1',
      gadget_id: place.door.id,
      action_id: 'open',
    })
    expect((await device.closed).reason).toBe('failed')
  } finally {
    await db.query('ALTER TABLE gadgets_gone RENAME TO gadgets')
  }
})

/** Waits until the value stops changing. */
async function untilStill(read: () => number): Promise<void> {
  for (let before = -1; before !== read(); await sleep(100)) before = read()
}
