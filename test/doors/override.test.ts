import { addSeconds } from '@gatehouse-access/core'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  tendOverrides,
  tendTurnedOverrides,
} from '../../packages/server/src/services/doors/tend-overrides.ts'
import { daily, heldDoor, openHouse } from './house.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

beforeAll(async () => {
  w = owned.use(await world())
})
beforeEach(async () => {
  tenant = await w.tenant()
})
afterAll(() => owned.disposeAsync())

function refused(field: string, words: RegExp) {
  return expect.objectContaining({
    type: 'invalid_request',
    args: { field },
    message: expect.stringMatching(words),
  })
}

async function modeAt(gadget: string, at: string): Promise<string | undefined> {
  const { data } = await tenant.client.gadgets.modes(gadget, { from: at, to: addSeconds(at, 1) })
  return data[0]?.effective
}

async function withRule(timezone?: string) {
  const { client } = tenant
  const house = await openHouse(client, ['Front'], timezone)
  const { id: schedule_id } = await client.schedules.create({ name: 'Day', weekdays: daily })
  const rule = { name: 'Lobby', site_id: house.site_id, gadget_ids: house.doors, schedule_id }
  const { id: rule_id } = await client.unlock_rules.create(rule)
  return { ...house, front: house.doors[0] ?? '', rule_id }
}

test('to hold a door open for good takes the word for it', async () => {
  const { doors } = await openHouse(tenant.client, ['Front'])
  const [front = ''] = doors
  const { gadgets } = tenant.client
  await expect(gadgets.mode(front, { mode: 'unlocked' })).rejects.toEqual(
    refused('until', /say "lasts": "indefinitely"/),
  )
  await expect(gadgets.mode(front, { mode: 'unlocked', lasts: 'until_turn' })).rejects.toEqual(
    refused('lasts', /no unlock rule/),
  )
  expect((await gadgets.get(front)).mode).toMatchObject({ effective: 'controlled', source: 'default' })
  const held = await gadgets.mode(front, { mode: 'unlocked', lasts: 'indefinitely' })
  expect(held.mode).toMatchObject({ effective: 'unlocked', source: 'override', until: null })
  expect(await modeAt(front, addSeconds(w.clock.now(), 90 * 86_400))).toBe('unlocked')
})

test('locking a door needs no word', async () => {
  const { doors } = await openHouse(tenant.client, ['Front'])
  const { mode } = await tenant.client.gadgets.mode(doors[0] ?? '', { mode: 'controlled' })
  expect(mode).toMatchObject({ effective: 'controlled', source: 'override', until: null })
})

test('an end across a change of the clocks is the instant given', async () => {
  const { doors } = await openHouse(tenant.client, ['Front'], 'America/New_York')
  const [front = ''] = doors
  // Clocks go forward on 14 March 2027 at 2:00.
  const until = '2027-03-14T07:30:00.000000Z'
  const { mode } = await tenant.client.gadgets.mode(front, {
    mode: 'unlocked',
    until: '2027-03-14T03:30:00-04:00',
  })
  expect(mode).toMatchObject({ effective: 'unlocked', until })
  expect([await modeAt(front, addSeconds(until, -1)), await modeAt(front, until)]).toEqual([
    'unlocked',
    'controlled',
  ])
})

test.each([
  ['in the past', -1, /in the future/],
  ['too far ahead', 366 * 86_400 + 1, /at most 366 days/],
])('an end %s is refused', async (_name, seconds, words) => {
  const { doors } = await openHouse(tenant.client, ['Front'])
  const until = addSeconds(w.clock.now(), seconds)
  await expect(tenant.client.gadgets.mode(doors[0] ?? '', { mode: 'unlocked', until })).rejects.toEqual(
    refused('until', words),
  )
})

test('a door of a rule is locked until the next turn of the rule', async () => {
  const { front, rule_id } = await withRule()
  w.clock.set('2027-01-11T09:00:00Z')
  const { gadgets } = tenant.client
  const { mode } = await gadgets.get(front)
  expect(mode).toMatchObject({ effective: 'unlocked', source: 'unlock_rule', unlock_rule_id: rule_id })
  const locked = await gadgets.mode(front, { mode: 'controlled' })
  expect(locked.mode).toMatchObject({ source: 'override', until: '2027-01-11T17:00:00.000000Z' })
  w.clock.set('2027-01-11T17:00:00Z')
  expect((await gadgets.get(front)).mode).toMatchObject({ effective: 'controlled', source: 'default' })
  await tendTurnedOverrides(w.server.context)
  expect(await countOverrides(front)).toBe(0)
})

test('scheduled takes an override back, and an override that is over is removed', async () => {
  const { front } = await withRule()
  const { gadgets, events } = tenant.client
  await gadgets.mode(front, { mode: 'unlocked', until: addSeconds(w.clock.now(), 60), reason: 'Delivery' })
  const back = await gadgets.mode(front, { mode: 'scheduled' })
  expect(back.mode?.source).not.toBe('override')
  await gadgets.mode(front, { mode: 'scheduled' })
  await gadgets.mode(front, { mode: 'unlocked', until: addSeconds(w.clock.now(), 60) })
  w.clock.advance(61)
  await tendOverrides(w.server.context)
  expect(await countOverrides(front)).toBe(0)
  const { data } = await events.list({ 'object.gadget_id': front, sort: 'created_at:desc', limit: 10 })
  const told = data.filter(({ verb }) => verb === 'edit').map(({ object }) => [object.reason, object.mode])
  expect(told.reverse()).toEqual([
    ['mode_set', 'unlocked'],
    ['mode_set', undefined],
    ['mode_set', 'unlocked'],
    ['mode_ended', undefined],
  ])
})

async function countOverrides(gadget: string): Promise<number> {
  const rows = await w.server.context.db.query('SELECT 1 FROM overrides WHERE id = $1 AND NOT is_deleted', [
    gadget,
  ])
  return rows.length
}

test('a repeated request is answered with the mode that it set', async () => {
  const { doors } = await openHouse(tenant.client, ['Front'])
  const body = { mode: 'unlocked', lasts: 'indefinitely' } as const
  const options = { idempotency_key: 'hold-1' }
  for (let attempt = 0; attempt < 2; attempt++) {
    const { mode } = await tenant.client.gadgets.mode(doors[0] ?? '', body, options)
    expect(mode).toMatchObject({ effective: 'unlocked', source: 'override' })
  }
})

test('what cannot be held open, or is no door, is refused', async () => {
  const { client } = tenant
  const { device_id } = await openHouse(client, [])
  const { hold_action_id: _, secure_action_id: __, ...door } = heldDoor.door
  const plain = await client.gadgets.create({ name: 'Plain', device_id, ...heldDoor, door })
  const light = await client.gadgets.create({ name: 'Light', device_id })
  expect(light.mode).toBeNull()
  await expect(client.gadgets.mode(plain.id, { mode: 'unlocked', lasts: 'indefinitely' })).rejects.toEqual(
    refused('mode', /cannot be held open/),
  )
  await expect(client.gadgets.mode(light.id, { mode: 'controlled' })).rejects.toEqual(
    refused('mode', /has no door/),
  )
  const reader = tenant.clientWith(['full_read_only'])
  await expect(reader.gadgets.mode(plain.id, { mode: 'controlled' })).rejects.toMatchObject({ status: 403 })
})
