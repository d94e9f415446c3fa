import { doorTemplates } from '@gatehouse-access/api'
import type { Client } from '@gatehouse-access/sdk'
import { closeVirtualDoors } from '@gatehouse-access/server'
import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

let w: World
let client: Client

beforeAll(async () => {
  w = await world()
  client = (await w.tenant()).client
  w.clock.set('2026-06-01T10:00:00Z')
})
afterAll(() => w[Symbol.asyncDispose]())

/** A keypad at the street, and a door and a light at a controller behind it. */
async function house(template: keyof typeof doorTemplates = 'holdable') {
  const site = await client.sites.create({ name: 'House', timezone: 'Europe/Madrid' })
  const make = async (product_id: string) =>
    (await client.devices.create({ name: product_id, site_id: site.id, product_id })).id
  const [controller, keypad] = [await make('controller'), await make('keypad')]
  const door = await client.gadgets.create({
    name: 'Door',
    device_id: controller,
    ...structuredClone(doorTemplates[template]),
  })
  // The controller's own keypad opens its first gadget, by the time in its ID.
  w.clock.advance(1)
  const light = await client.gadgets.create({
    name: 'Light',
    device_id: controller,
    actions: [{ id: 'on', name: 'On' }],
  })
  await client.devices.edit(keypad, { input_rules: [{ code: '', gadget_id: door.id, action_id: 'open' }] })
  const group = await client.member_groups.create({ name: 'All', permissions: [{ site_id: site.id }] })
  const member = await client.members.create({ name: 'Resident' })
  await client.member_group_associations.create(member.id, { member_group_id: group.id })
  const { pin } = await client.member_pins.create(member.id, {})
  return { controller, keypad, door: door.id, light: light.id, pin }
}

const stateOf = async (id: string) => (await client.gadgets.get(id)).state_id
/** What the job does every second. */
async function pass(seconds: number): Promise<void> {
  w.clock.advance(seconds)
  await closeVirtualDoors(w.server.context)
}
async function statesReported(gadget: string): Promise<(string | null | undefined)[]> {
  const { data } = await client.events.list({ 'object.gadget_id': gadget, 'object.type': 'gadget_state' })
  return data.map(({ object }) => object.gadget_state_id).reverse()
}

test('a released door opens, sets off its trigger, and closes by itself, again and again', async () => {
  const { keypad, door, light, pin } = await house()
  const opens = await client.gadget_triggers.create({
    source_type: 'state',
    source_gadget_id: door,
    source_state_id: 'open',
    target_gadget_id: light,
    target_action_id: 'on',
  })
  for (let time = 1; time <= 2; time++) {
    await client.devices.simulate(keypad, { keys: `${pin}#` })
    expect(await stateOf(door)).toBe('open')
    await pass(4.9)
    expect(await stateOf(door)).toBe('open')
    await pass(0.2)
    expect(await stateOf(door)).toBe('closed')
    const runs = await client.events.list({ 'object.gadget_trigger_id': opens.id, verb: 'use' })
    expect(runs.data).toHaveLength(time)
  }
  expect(await statesReported(door)).toEqual(['open', 'closed', 'open', 'closed'])
})

test('whoever opens it again keeps it open for longer, also by an action of the API', async () => {
  const { door } = await house('plain')
  await client.gadgets.run_action(door, 'open')
  await pass(4)
  await client.gadgets.run_action(door, 'open')
  await pass(4)
  expect(await stateOf(door)).toBe('open')
  await pass(1.1)
  expect(await stateOf(door)).toBe('closed')
  await client.gadgets.edit(door, {
    door: { ...structuredClone(doorTemplates.plain.door), release_seconds: 60 },
  })
  await client.gadgets.run_action(door, 'open')
  await pass(59)
  expect(await stateOf(door)).toBe('open')
  await pass(2)
  expect(await stateOf(door)).toBe('closed')
})

test('a held door stays open until it is secured, whoever is let in meanwhile', async () => {
  const { door } = await house()
  await client.gadgets.run_action(door, 'hold')
  await client.gadgets.run_action(door, 'open')
  await pass(3600)
  expect(await stateOf(door)).toBe('open')
  await client.gadgets.run_action(door, 'secure')
  expect(await stateOf(door)).toBe('closed')
  await client.gadgets.run_action(door, 'open')
  await pass(6)
  expect(await stateOf(door)).toBe('closed')
})

test('a state that somebody simulates stays, and so does a door that is stuck', async () => {
  const { controller, door } = await house()
  await client.gadgets.run_action(door, 'open')
  await client.devices.simulate(controller, { state: { gadget_id: door, state_id: 'open' } })
  await pass(3600)
  expect(await stateOf(door)).toBe('open')
  await client.gadgets.run_action(door, 'open')
  await client.devices.simulate(controller, { fault: 'stuck_door' })
  await pass(60)
  expect(await stateOf(door)).toBe('open')
  await pass(600)
  expect(await stateOf(door)).toBe('closed')
})

test('without a network it closes too, and reports both later', async () => {
  const { controller, door, pin } = await house()
  await client.devices.simulate(controller, { network: 'offline' })
  await client.devices.simulate(controller, { keys: `${pin}#` })
  await pass(6)
  const { events } = await client.devices.simulate(controller, { network: 'online' })
  expect(events).toEqual([])
  expect(await statesReported(door)).toEqual(['open', 'closed'])
  expect(await stateOf(door)).toBe('closed')
})

test('a request to exit releases an electric door, offline and with a wrong clock; a mechanical one opens by hand', async () => {
  const { controller, door } = await house('magnetic')
  const leave = () => client.devices.simulate(controller, { signal: { gadget_id: door, signal_id: 'exit' } })
  const exit = { type: 'exit', gadget_id: door, action_id: 'open', signal_id: 'exit' }
  expect((await leave()).events).toMatchObject([
    { type: 'signal' },
    exit,
    { type: 'state', state_id: 'open' },
  ])
  const { data } = await client.events.list({ 'object.gadget_id': door, verb: 'use' })
  expect(data).toMatchObject([
    { object: { type: 'gadget_action', gadget_action_id: 'open', gadget_signal_id: 'exit' } },
  ])
  expect((await client.gadgets.get(door)).last_action_at).toBe(data[0]?.created_at)
  await pass(6)
  expect(await stateOf(door)).toBe('closed')
  await client.devices.simulate(controller, { fault: 'wrong_clock' })
  expect((await leave()).events).toContainEqual(expect.objectContaining(exit))
  await client.devices.simulate(controller, { fault: null })
  await client.devices.simulate(controller, { network: 'offline' })
  expect((await leave()).events).toContainEqual(expect.objectContaining(exit))
  const other = await house('holdable')
  const signal = { gadget_id: other.door, signal_id: 'exit' }
  expect((await client.devices.simulate(other.controller, { signal })).events).toMatchObject([
    { type: 'signal' },
  ])
})
