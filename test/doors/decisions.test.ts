import { doorTemplates } from '@gatehouse-access/api'
import type { Client } from '@gatehouse-access/sdk'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeEach, expect, test } from 'vitest'

let w: World
let tenant: Tenant
let client: Client
let house: Awaited<ReturnType<typeof build>>

beforeEach(async () => {
  w ??= await world()
  w.clock.set('2026-11-17T10:00:00Z')
  tenant = await w.tenant()
  client = tenant.client
  house = await build()
})
afterAll(() => w[Symbol.asyncDispose]())

async function build() {
  const site = await client.sites.create({ name: 'Office', timezone: 'Europe/Madrid' })
  const device = await client.devices.create({ name: 'C', site_id: site.id, product_id: 'controller' })
  const template = structuredClone(doorTemplates.holdable)
  const more = [
    { id: 'leave', name: 'Leave' },
    { id: 'light', name: 'Light' },
  ]
  const gadget = await client.gadgets.create({
    name: 'Door',
    device_id: device.id,
    ...template,
    actions: [...template.actions, ...more],
    door: { ...template.door, exit_action_ids: ['leave'] },
  })
  const group = async (name: string) =>
    (await client.member_groups.create({ name, permissions: [{ site_id: site.id }] })).id
  const groups = { staff: await group('Staff'), guards: await group('Guards') }
  const member = async (member_group_id: string) => {
    const { id } = await client.members.create({})
    await client.member_group_associations.create(id, { member_group_id })
    return id
  }
  return {
    site: site.id,
    device: device.id,
    door: gadget.id,
    groups,
    staff: await member(groups.staff),
    guard: await member(groups.guards),
  }
}

const lockDown = async (more: object = {}) =>
  (
    await client.emergencies.create({
      type: 'lockdown',
      targets: { gadget_ids: [house.door] },
      exempt_member_group_ids: [house.groups.guards],
      ...more,
    })
  ).id

const check = (member_id: string, more: object = {}) =>
  client.access_checks.create({ member_id, gadget_id: house.door, action_id: 'open', ...more })

test('a check tells the mode of the door, what sets it, and when access comes back', async () => {
  const plain = { mode: 'controlled', source: 'default', since: null, until: null }
  expect(await check(house.staff)).toMatchObject({
    allowed: true,
    door: { ...plain, unlock_rule_id: null, emergency_ids: [] },
  })
  const id = await lockDown({ ends_at: '2026-11-17T12:00:00Z' })
  const ends_at = '2026-11-17T12:00:00.000000Z'
  const door = { mode: 'lockdown', source: 'emergency', until: ends_at, emergency_ids: [id] }
  expect(await check(house.staff)).toMatchObject({ reason: 'lockdown', next_allowed_at: ends_at, door })
  expect(await check(house.guard)).toMatchObject({ allowed: true, door })
  expect(await check(house.staff, { at: '2026-11-17T12:00:00Z' })).toMatchObject({
    allowed: true,
    door: plain,
  })
  await client.emergencies.end(id, {})
  const lasting = await lockDown()
  expect(await check(house.staff, { at: '2027-06-01T12:00:00Z' })).toMatchObject({
    reason: 'lockdown',
    next_allowed_at: null,
    door: { until: null, emergency_ids: [lasting] },
  })
  const light = await client.gadgets.create({ name: 'Light', device_id: house.device })
  expect(await check(house.staff, { gadget_id: light.id })).toMatchObject({ allowed: true, door: null })
})

test('lists are as of the mode', async () => {
  const who = async () =>
    (await client.gadgets.access(house.door, { action_id: 'open' })).data.map(({ member_id }) => member_id)
  const what = async (member: string) =>
    (await client.members.access(member, {})).data.map(({ action_id }) => action_id)
  const { id: visitor } = await client.members.create({})
  expect(await who()).toEqual([house.staff, house.guard].sort())
  const id = await lockDown()
  expect(await who()).toEqual([house.guard])
  expect(await what(house.staff)).toEqual(['leave'])
  await client.emergencies.end(id, {})
  await client.gadgets.mode(house.door, { mode: 'unlocked', lasts: 'indefinitely' })
  expect(await who()).toEqual([house.staff, house.guard, visitor].sort())
  expect(await what(visitor)).toEqual(['open', 'leave'])
})

test('an application is denied too, unless it says that it means to; exits and locking always run', async () => {
  const run = (action: string, body = {}) => client.gadgets.run_action(house.door, action, body)
  const emergency = await lockDown()
  for (const action of ['open', 'hold', 'light'])
    await expect(run(action)).rejects.toMatchObject({
      status: 403,
      type: 'permission_denied',
      args: { reason: 'lockdown' },
    })
  await expect(run('open', { override_emergency: false })).rejects.toMatchObject({ status: 403 })
  for (const action of ['leave', 'secure']) await run(action)
  await run('open', { override_emergency: true })
  const { data } = await client.events.list({ 'object.gadget_id': house.door, verb: 'use' })
  expect(data.map(({ object }) => [object.gadget_action_id, object.override_emergency ?? null])).toEqual([
    ['open', true],
    ['secure', null],
    ['leave', null],
  ])
  const denials = await client.events.list({ 'object.type': 'access_denial' })
  expect(denials.data).toHaveLength(4)
  expect(denials.data[0]).toMatchObject({
    subject: { oauth_application_id: tenant.oauth_application_id },
    object: { reason: 'lockdown', gadget_action_id: 'open' },
    explanation: { rules: [], door: { mode: 'lockdown', emergency_ids: [emergency] } },
  })
  await client.emergencies.end(emergency, {})
  await run('open', { override_emergency: true })
  const [last] = (await client.events.list({ 'object.gadget_id': house.door, verb: 'use' })).data
  expect(last?.object.override_emergency ?? null).toBeNull()
})

/** Returns what became of an input: the types of events, with the reason of a denial. */
async function simulate(device: string, body: object): Promise<unknown[]> {
  const { events } = await client.devices.simulate(device, body as never)
  return events.map(({ type, reason }) => reason ?? type)
}

test('a keypad elsewhere opens no door that is locked down, unless the member is exempt', async () => {
  const { id: keypad } = await client.devices.create({ name: 'K', site_id: house.site, product_id: 'keypad' })
  await client.devices.edit(keypad, { input_rules: [{ code: '', gadget_id: house.door, action_id: 'open' }] })
  const pinOf = async (member: string) => (await client.member_pins.create(member, {})).pin
  const [staff, guard] = [await pinOf(house.staff), await pinOf(house.guard)]
  expect(await simulate(keypad, { keys: `${staff}#` })).toEqual(['use'])
  await lockDown()
  expect(await simulate(keypad, { keys: `${staff}#` })).toEqual(['lockdown'])
  expect(await simulate(keypad, { keys: `${guard}#` })).toEqual(['use'])
  await simulate(keypad, { network: 'offline' })
  expect(await simulate(keypad, { keys: `${staff}#` })).toEqual(['lockdown'])
  await simulate(keypad, { network: 'online' })
  const { data } = await client.events.list({ 'object.type': 'access_denial' })
  expect(data).toHaveLength(2)
  for (const { explanation } of data) expect(explanation?.door).toMatchObject({ mode: 'lockdown' })
})

test('a trigger opens no door that is locked down, but lets people out', async () => {
  const trigger = async (source_signal_id: string, target_action_id: string) =>
    (
      await client.gadget_triggers.create({
        source_type: 'signal',
        source_gadget_id: house.door,
        source_signal_id,
        target_gadget_id: house.door,
        target_action_id,
      })
    ).id
  const signals = [...doorTemplates.holdable.signals, { id: 'bell', name: 'Bell' }]
  await client.gadgets.edit(house.door, { signals })
  for (const action of ['open', 'hold', 'leave', 'light']) await trigger('bell', action)
  const ring = async () => {
    const { events } = await client.devices.simulate(house.device, {
      signal: { gadget_id: house.door, signal_id: 'bell' },
    })
    const actionsOf = (wanted: string) =>
      events.filter(({ type }) => type === wanted).map(({ action_id }) => action_id)
    return { ran: actionsOf('trigger').toSorted(), denied: actionsOf('trigger_denial').toSorted() }
  }
  expect(await ring()).toEqual({ ran: ['hold', 'leave', 'light', 'open'], denied: [] })
  await lockDown()
  expect(await ring()).toEqual({ ran: ['leave', 'light'], denied: ['hold', 'open'] })
  const { data } = await client.events.list({ 'object.type': 'access_denial', sort: 'id:desc', limit: 2 })
  expect(data.map(({ object }) => [object.reason, object.gadget_action_id]).toSorted()).toEqual([
    ['lockdown', 'hold'],
    ['lockdown', 'open'],
  ])
  for (const { object, subject } of data) {
    expect(object).toMatchObject({ gadget_id: house.door, gadget_trigger_id: expect.any(String) })
    expect(subject.member_id).toBeNull()
  }
})
