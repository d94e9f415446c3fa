import type { Client } from '@gatehouse-access/sdk'
import { tickVirtualDevices } from '@gatehouse-access/server'
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

const states = [
  { id: 'closed', name: 'Closed' },
  { id: 'open', name: 'Open' },
]
const hour = 3600

/** Creates a house with a keypad at the street, a door and a light, all virtual. */
async function house() {
  const site = await client.sites.create({ name: 'House', timezone: 'Europe/Madrid' })
  const controller = await client.devices.create({ name: 'C', site_id: site.id, product_id: 'controller' })
  const keypad = await client.devices.create({ name: 'K', site_id: site.id, product_id: 'keypad' })
  const signals = [{ id: 'bell', name: 'Bell' }]
  const door = await client.gadgets.create({ name: 'Door', device_id: controller.id, states, signals })
  const actions = [
    { id: 'on', name: 'On' },
    { id: 'off', name: 'Off' },
  ]
  const light = await client.gadgets.create({ name: 'Light', device_id: controller.id, actions })
  await client.devices.edit(keypad.id, {
    input_rules: [
      { code: '', gadget_id: door.id, action_id: 'open' },
      { code: '*1', gadget_id: light.id, action_id: 'on' },
    ],
  })
  const group = await client.member_groups.create({ name: 'Residents', permissions: [{ site_id: site.id }] })
  const resident = async (more: object = {}) => {
    const member = await client.members.create({ name: 'Resident', ...more })
    await client.member_group_associations.create(member.id, { member_group_id: group.id })
    const pin = await client.member_pins.create(member.id, {})
    return { id: member.id, pin: pin.pin, pin_id: pin.id }
  }
  return {
    site: site.id,
    controller: controller.id,
    keypad: keypad.id,
    door: door.id,
    light: light.id,
    resident,
  }
}

function eventsOf(device: string, more: object = {}) {
  return client.events.all({ 'object.device_id': device, ...more } as never)
}

test('a typed PIN opens, with the event a real keypad would leave', async () => {
  const { keypad, door, light, resident } = await house()
  const { id, pin, pin_id } = await resident()
  const opened = await client.devices.simulate(keypad, { keys: `${pin}#` })
  expect(opened).toMatchObject({ online: true, buffered_events: 0, fault: null })
  expect(opened.events).toMatchObject([
    {
      type: 'use',
      gadget_id: door,
      action_id: 'open',
      member_id: id,
      credential_id: pin_id,
      access_method: 'pin',
    },
  ])
  const lit = await client.devices.simulate(keypad, { keys: `*1${pin}#` })
  expect(lit.events).toMatchObject([{ type: 'use', gadget_id: light, action_id: 'on' }])
  const { data } = await client.events.list({ 'object.gadget_id': door, verb: 'use' })
  expect(data).toMatchObject([
    {
      subject: { member_id: id, member_pin_id: pin_id, access_method: 'pin' },
      object: { type: 'gadget_action', gadget_action_id: 'open' },
    },
  ])
  expect((await client.gadgets.get(door)).last_action_at).not.toBeNull()
})

test('keys may come one by one; after ten seconds what was typed is forgotten', async () => {
  const { keypad, resident } = await house()
  const { pin } = await resident()
  expect((await client.devices.simulate(keypad, { keys: pin })).events).toEqual([])
  expect((await client.devices.simulate(keypad, { keys: '#' })).events).toMatchObject([{ type: 'use' }])
  await client.devices.simulate(keypad, { keys: pin })
  w.clock.advance(11)
  expect((await client.devices.simulate(keypad, { keys: '#' })).events).toEqual([])
})

test('five wrong PINs pause the keypad for 30 seconds, cards go on', async () => {
  const { keypad, resident } = await house()
  const { id, pin } = await resident()
  await client.member_cards.create(id, { uid: '04A1B2C3D4E5F7' })
  for (let attempt = 0; attempt < 5; attempt++)
    expect((await client.devices.simulate(keypad, { keys: '000000#' })).events).toMatchObject([
      { type: 'denial', reason: 'unknown_credential' },
    ])
  expect((await client.devices.simulate(keypad, { keys: `${pin}#` })).events).toMatchObject([
    { type: 'denial', reason: 'keypad_paused' },
  ])
  expect((await client.devices.simulate(keypad, { card: { uid: '04a1b2c3d4e5f7' } })).events).toMatchObject([
    { type: 'use', access_method: 'card', member_id: id },
  ])
  w.clock.advance(31)
  expect((await client.devices.simulate(keypad, { keys: `${pin}#` })).events).toMatchObject([{ type: 'use' }])
})

test('a phone presents a pass', async () => {
  const { keypad, resident } = await house()
  const { id } = await resident()
  for (const access_method of ['bluetooth', 'mobile_nfc'] as const)
    expect(
      (await client.devices.simulate(keypad, { phone: { access_method, member_id: id } })).events,
    ).toMatchObject([{ type: 'use', access_method, member_id: id }])
})

test('a state that changes shows on the gadget and sets off triggers; a signal does too', async () => {
  const { controller, door, light, site } = await house()
  const on = await client.gadget_triggers.create({
    source_type: 'state',
    source_gadget_id: door,
    source_state_id: 'open',
    target_gadget_id: light,
    target_action_id: 'on',
  })
  const off = await client.gadget_triggers.create({
    source_type: 'signal',
    source_gadget_id: door,
    source_signal_id: 'bell',
    target_gadget_id: light,
    target_action_id: 'off',
  })
  const opened = await client.devices.simulate(controller, { state: { gadget_id: door, state_id: 'open' } })
  expect(opened.events).toMatchObject([
    { type: 'state', gadget_id: door, state_id: 'open' },
    { type: 'trigger', gadget_trigger_id: on.id, gadget_id: light, action_id: 'on' },
  ])
  expect((await client.gadgets.get(door)).state_id).toBe('open')
  expect(
    (await client.devices.simulate(controller, { state: { gadget_id: door, state_id: 'open' } })).events,
  ).toEqual([])
  const rung = await client.devices.simulate(controller, { signal: { gadget_id: door, signal_id: 'bell' } })
  expect(rung.events).toMatchObject([{ type: 'signal' }, { type: 'trigger', gadget_trigger_id: off.id }])
  const events = []
  for await (const { verb, object } of client.events.all({
    'object.site_id': site,
    'created_at:gt': '2026-06-01T00:00:00Z',
  }))
    if (['gadget_state', 'gadget_signal', 'gadget_action'].includes(object.type))
      events.push(`${verb} ${object.type}`)
  expect(events.sort()).toEqual([
    'create gadget_signal',
    'edit gadget_state',
    'use gadget_action',
    'use gadget_action',
  ])
})

test('doors and lights show what they were told to do, by whichever way, and set off what that does', async () => {
  const { controller, keypad, door, site, resident } = await house()
  const named = (...ids: string[]) => ids.map(id => ({ id, name: id }))
  const light = await client.gadgets.create({
    name: 'Lamp',
    device_id: controller,
    actions: named('on', 'off'),
    states: named('off', 'on'),
  })
  const gate = await client.gadgets.create({
    name: 'Gate',
    device_id: controller,
    actions: named('lock', 'unlock', 'ring'),
    states: named('locked', 'unlocked'),
  })
  const stateOf = async (id: string) => (await client.gadgets.get(id)).state_id
  await client.gadget_triggers.create({
    source_type: 'state',
    source_gadget_id: door,
    source_state_id: 'open',
    target_gadget_id: light.id,
    target_action_id: 'on',
  })
  const { pin } = await resident()
  await client.devices.simulate(keypad, { keys: `${pin}#` })
  expect([await stateOf(door), await stateOf(light.id)]).toEqual(['open', 'on'])
  await client.gadgets.run_action(light.id, 'off', {})
  await client.gadgets.run_action(light.id, 'off', {})
  expect(await stateOf(light.id)).toBe('off')
  await client.gadgets.run_action(gate.id, 'unlock', {})
  await client.gadgets.run_action(gate.id, 'ring', {})
  expect(await stateOf(gate.id)).toBe('unlocked')
  const told = []
  for await (const { verb, object } of client.events.all({ 'object.site_id': site } as never))
    if (object.gadget_id === light.id && object.type !== 'gadget')
      told.push(`${verb} ${object.gadget_state_id ?? object.gadget_action_id}`)
  expect(told.sort()).toEqual(['edit off', 'edit on', 'use off', 'use off', 'use on'])
})

test('a schedule that begins sets off its trigger once', async () => {
  const { light } = await house()
  const weekdays = Array.from({ length: 7 }, () => ({ ranges: [{ start: 20 * hour, end: 22 * hour }] }))
  const schedule = await client.schedules.create({ name: 'Evening', weekdays })
  const trigger = await client.gadget_triggers.create({
    source_type: 'schedule',
    source_schedule_id: schedule.id,
    source_schedule_event: 'enter',
    target_gadget_id: light,
    target_action_id: 'on',
  })
  const runs = async () =>
    (await client.events.list({ 'object.gadget_trigger_id': trigger.id, verb: 'use' })).data
  w.clock.set('2026-06-02T17:59:00Z')
  await tickVirtualDevices(w.server.context)
  w.clock.set('2026-06-02T18:00:01Z')
  await tickVirtualDevices(w.server.context)
  await tickVirtualDevices(w.server.context)
  expect(await runs()).toMatchObject([
    { object: { gadget_id: light, gadget_action_id: 'on' }, subject: { member_id: null } },
  ])
  w.clock.set('2026-06-05T18:30:00Z')
  await tickVirtualDevices(w.server.context)
  expect(await runs()).toHaveLength(2)
})

test('offline it decides by what it had, and reports later with original times', async () => {
  const { keypad, door, resident } = await house()
  const [early, late, gone] = [await resident(), await resident(), await resident()]
  await client.members.delete(gone.id)
  const offline = await client.devices.simulate(keypad, { network: 'offline' })
  expect(offline.online).toBe(false)
  expect((await client.devices.get(keypad)).status.online).toBe(false)
  const newcomer = await resident()
  await client.members.delete(late.id)
  const happened = w.clock.now()
  for (const [person, type] of [
    [early, 'use'],
    [late, 'use'],
    [gone, 'denial'],
    [newcomer, 'denial'],
  ] as const)
    expect((await client.devices.simulate(keypad, { keys: `${person.pin}#` })).events).toMatchObject([
      { type },
    ])
  expect(
    (await client.events.list({ 'object.gadget_id': door })).data.filter(event => event.verb === 'use'),
  ).toEqual([])
  w.clock.advance(3600)
  expect(await client.devices.simulate(keypad, { network: 'online' })).toMatchObject({
    online: true,
    buffered_events: 0,
  })
  const { data } = await client.events.list({
    'object.gadget_id': door,
    verb: 'use',
    sort: 'created_at:asc',
  } as never)
  expect(data.map(event => event.subject.member_id)).toEqual([early.id, late.id])
  for (const event of data) {
    expect(event.created_at > happened && event.created_at < event.recorded_at).toBe(true)
    expect(event.clock_adjusted).toBe(false)
  }
  expect((await client.devices.simulate(keypad, { keys: `${late.pin}#` })).events).toMatchObject([
    { type: 'denial' },
  ])
  const edits = []
  for await (const event of eventsOf(keypad, { 'object.type': 'device', verb: 'edit' })) edits.push(event)
  expect(edits.length).toBeGreaterThanOrEqual(3)
})

test('each fault shows as it would in a building and ends after ten minutes', async () => {
  const { controller, door, resident } = await house()
  const { pin } = await resident({ ends_at: '2026-12-01T00:00:00Z' })
  const type = async () => (await client.devices.simulate(controller, { keys: `${pin}#` })).events[0]
  const open = () =>
    client.gadgets.run_action(door, 'open').then(
      () => 'done',
      error => error.type as string,
    )
  const broken = async (fault: 'stuck_door' | 'no_power' | 'slow' | 'lost_network' | 'wrong_clock') => {
    const answer = await client.devices.simulate(controller, { fault })
    expect(answer.fault).toBe(fault)
    return { typed: await type(), opened: await open() }
  }
  expect((await broken('stuck_door')).typed).toMatchObject({ type: 'denial', reason: 'hardware_failed' })
  const dark = await broken('no_power')
  expect(dark.typed).toMatchObject({ type: 'denial', reason: 'hardware_failed' })
  expect((await client.devices.get(controller)).status.mains_present).toBe(false)
  const slow = await broken('slow')
  expect(slow).toMatchObject({
    typed: { type: 'denial', reason: 'hardware_failed' },
    opened: 'hardware_timeout',
  })
  expect(await broken('lost_network')).toMatchObject({ typed: { type: 'use' }, opened: 'hardware_offline' })
  expect((await broken('wrong_clock')).typed).toMatchObject({ type: 'denial', reason: 'clock_unsure' })
  w.clock.advance(601)
  await tickVirtualDevices(w.server.context)
  expect((await client.devices.get(controller)).status).toMatchObject({ online: true, mains_present: true })
  expect(await type()).toMatchObject({ type: 'use' })
  expect(await open()).toBe('done')
  await client.devices.simulate(controller, { fault: 'lost_network' })
  expect(await open()).toBe('hardware_offline')
  expect(await client.devices.simulate(controller, { fault: null })).toMatchObject({
    fault: null,
    online: true,
  })
  expect(await open()).toBe('done')
})

test('a network that was lost comes back by itself: what was held back is told, and what changed meanwhile counts', async () => {
  const { controller, resident } = await house()
  const { pin } = await resident({ ends_at: '2026-12-01T00:00:00Z' })
  await client.devices.simulate(controller, { fault: 'lost_network' })
  const { events, buffered_events } = await client.devices.simulate(controller, { keys: `${pin}#` })
  expect(events[0]).toMatchObject({ type: 'use' })
  expect(buffered_events).toBeGreaterThan(0)
  const { pin: later } = await resident({ ends_at: '2026-12-01T00:00:00Z' })
  w.clock.advance(601)
  const back = await client.devices.simulate(controller, { keys: `${later}#` })
  expect(back).toMatchObject({ online: true, buffered_events: 0 })
  expect(back.events[0]).toMatchObject({ type: 'use' })
  expect((await client.devices.get(controller)).status.online).toBe(true)
  // Door or light: the keypad addresses the first gadget of the controller.
  const { gadget_id } = events[0] as { gadget_id: string }
  expect((await client.events.list({ 'object.gadget_id': gadget_id, verb: 'use' })).data).toHaveLength(2)
})

test('what cannot be simulated is refused and changes nothing', async () => {
  const { site, controller, keypad, door } = await house()
  const refused = (field: string) =>
    expect.objectContaining({ status: 400, args: expect.objectContaining({ field }) })
  const simulate = (body: object, device = controller) => client.devices.simulate(device, body as never)
  await expect(simulate({})).rejects.toMatchObject({ status: 400 })
  await expect(simulate({ keys: '1', network: 'offline' })).rejects.toMatchObject({ status: 400 })
  await expect(simulate({ keys: 'abc' })).rejects.toEqual(refused('keys'))
  await expect(simulate({ state: { gadget_id: door, state_id: 'melted' } })).rejects.toEqual(
    refused('state.state_id'),
  )
  await expect(simulate({ state: { gadget_id: door, state_id: 'open' } }, keypad)).rejects.toEqual(
    refused('state.gadget_id'),
  )
  const lock = await client.devices.create({ name: 'L', site_id: site, product_id: 'cylinder' })
  await expect(simulate({ keys: '1#' }, lock.id)).rejects.toEqual(refused('keys'))
  const real = await client.devices.create({
    name: 'R',
    site_id: site,
    product_id: 'controller',
    hardware_id: 'hw_REAL',
  })
  await expect(simulate({ keys: '1#' }, real.id)).rejects.toEqual(refused('device_id'))
})
