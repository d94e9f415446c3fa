import type { Client } from '@gatehouse-access/sdk'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hotel } from './hotel.ts'

let w: World
let tenant: Tenant
let client: Client
let place: Awaited<ReturnType<typeof hotel>>

beforeAll(async () => {
  w = await world()
  tenant = await w.tenant()
  client = tenant.client
  place = await hotel(client)
})
afterAll(() => w[Symbol.asyncDispose]())

const ask = (member_id: string, more: object = {}) =>
  client.access_checks.create({ member_id, gadget_id: place.door, action_id: 'open', ...more })
const reasonFor = async (member_id: string, more: object = {}) =>
  (await ask(member_id, more)).reason ?? 'allowed'

async function guest() {
  const member = await client.members.create({})
  const association = await client.member_group_associations.create(member.id, {
    member_group_id: place.room,
  })
  return { id: member.id, association: association.id }
}

test('a check right after each change gives the new answer', async () => {
  const { id, association } = await guest()
  expect(await reasonFor(id)).toBe('allowed')
  await client.members.edit(id, { ends_at: '2020-01-01T00:00:00Z' })
  expect(await reasonFor(id)).toBe('member_ended')
  await client.members.edit(id, { ends_at: null, starts_at: '2100-01-01T00:00:00Z' })
  expect(await ask(id)).toMatchObject({
    allowed: false,
    reason: 'member_not_started',
    next_allowed_at: '2100-01-01T00:00:00.000000Z',
  })
  await client.members.edit(id, { starts_at: null })
  await client.member_group_associations.edit(id, association, { ends_at: '2020-01-01T00:00:00Z' })
  expect(await reasonFor(id)).toBe('association_ended')
  await client.member_group_associations.edit(id, association, { ends_at: null })
  expect(await reasonFor(id)).toBe('allowed')
  await client.member_group_associations.delete(id, association)
  expect(await reasonFor(id)).toBe('no_association')
  await client.member_group_associations.edit(id, association, { is_deleted: false })
  expect(await reasonFor(id)).toBe('allowed')
  await client.members.delete(id)
  expect(await reasonFor(id)).toBe('member_deleted')
  await client.members.edit(id, { is_deleted: false })
  expect(await reasonFor(id)).toBe('allowed')
})

test('groups, schedules and gadgets count from the moment they change', async () => {
  const { id } = await guest()
  const never = await client.schedules.create({
    name: 'Never',
    weekdays: Array.from({ length: 7 }, () => ({ ranges: [] })),
  })
  const rule = { gadget_id: place.door, action_id: 'open' }
  await client.member_groups.edit(place.room, { permissions: [{ ...rule, schedule_id: never.id }] })
  expect(await ask(id)).toMatchObject({ reason: 'outside_schedule', next_allowed_at: null })
  await client.schedules.edit(never.id, {
    weekdays: Array.from({ length: 7 }, () => ({ ranges: [{ start: 0, end: 86400 }] })),
  })
  expect(await reasonFor(id)).toBe('allowed')
  await client.schedules.delete(never.id)
  expect(await reasonFor(id)).toBe('no_matching_rule')
  await client.member_groups.edit(place.room, { permissions: [{ ...rule, access_methods: { pin: true } }] })
  expect(await reasonFor(id)).toBe('method_not_allowed')
  expect(await reasonFor(id, { access_method: 'pin' })).toBe('allowed')
  await client.member_groups.edit(place.room, { permissions: [{ ...rule, presence: 'gps' }] })
  expect(await reasonFor(id)).toBe('not_present')
  const location = { lat: 40, lng: -3 }
  expect(await reasonFor(id, { location })).toBe('not_present')
  await client.sites.edit(place.site, { geo: { location, radius: 100 } })
  expect(await reasonFor(id, { location })).toBe('allowed')
  expect(await reasonFor(id, { location: { lat: 41, lng: -3 } })).toBe('not_present')
  await client.member_groups.delete(place.room)
  expect(await reasonFor(id)).toBe('group_deleted')
  await client.member_groups.edit(place.room, { is_deleted: false, permissions: [rule] })
  expect(await reasonFor(id)).toBe('allowed')
  await client.gadgets.delete(place.door)
  expect(await reasonFor(id)).toBe('gadget_deleted')
  await client.gadgets.edit(place.door, { is_deleted: false })
  expect(await reasonFor(id)).toBe('allowed')
})

test('a credential is asked about by its id, never by its secret', async () => {
  const { id } = await guest()
  const pin = await client.member_pins.create(id, {})
  const card = await client.member_cards.create(id, { uid: '11223344' })
  const check = (credential_id: string) =>
    client.access_checks.create({ credential_id, gadget_id: place.door, action_id: 'open' })
  expect(await check(pin.id)).toMatchObject({ allowed: true })
  await client.member_pins.delete(id, pin.id)
  expect(await check(pin.id)).toMatchObject({ reason: 'credential_deleted' })
  expect(await check(card.id)).toMatchObject({ allowed: true })
  await client.cards.delete(card.card_id)
  expect(await check(card.id)).toMatchObject({ reason: 'credential_deleted' })
  expect(await check('mp_00000000000000000000')).toMatchObject({ reason: 'unknown_credential' })
  await expect(check('12345')).rejects.toMatchObject({ args: { field: 'credential_id' } })
})

test('execute as member opens within the permissions of the member, and tells why when it does not', async () => {
  const { id } = await guest()
  await client.gadgets.execute_as_member(place.door, 'open', { member_id: id })
  const [use] = (await client.events.list({ 'subject.member_id': id })).data
  expect(use).toMatchObject({
    verb: 'use',
    object: { type: 'gadget_action', gadget_id: place.door, gadget_action_id: 'open' },
    subject: { member_id: id, access_method: 'online', oauth_application_id: tenant.oauth_application_id },
    explanation: null,
  })
  expect((await client.gadgets.get(place.door)).last_action_at).toBe(use?.created_at)
  await client.members.edit(id, { ends_at: '2020-01-01T00:00:00Z' })
  await expect(client.gadgets.execute_as_member(place.door, 'open', { member_id: id })).rejects.toMatchObject(
    {
      status: 403,
      type: 'permission_denied',
      args: { reason: 'member_ended' },
    },
  )
  const [denial] = (await client.events.list({ 'object.type': 'access_denial', 'subject.member_id': id }))
    .data
  expect(denial).toMatchObject({
    verb: 'create',
    object: { reason: 'member_ended', gadget_id: place.door },
    explanation: { allowed: false, reason: 'member_ended' },
  })
})

test('unknown people, doors and actions, foreign ones, and real devices that are not there', async () => {
  const { id } = await guest()
  const other = await w.tenant('Other')
  const foreign = await hotel(other.client)
  const stranger = await other.client.members.create({})
  await expect(
    client.gadgets.execute_as_member(foreign.door, 'open', { member_id: id }),
  ).rejects.toMatchObject({ status: 404 })
  await expect(client.gadgets.execute_as_member(place.door, 'fly', { member_id: id })).rejects.toMatchObject({
    status: 404,
  })
  await expect(client.gadgets.execute_as_member(place.door, 'FLY', { member_id: id })).rejects.toMatchObject({
    status: 400,
  })
  await expect(
    client.gadgets.execute_as_member(place.door, 'open', { member_id: stranger.id }),
  ).rejects.toMatchObject({ status: 400, args: { field: 'member_id' } })
  await expect(ask(stranger.id)).rejects.toMatchObject({ args: { field: 'member_id' } })
  await expect(ask(id, { gadget_id: foreign.door })).rejects.toMatchObject({ args: { field: 'gadget_id' } })
  await expect(ask(id, { action_id: 'fly' })).rejects.toMatchObject({ args: { field: 'action_id' } })
  await expect(
    client.access_checks.create({ gadget_id: place.door, action_id: 'open' }),
  ).rejects.toMatchObject({ status: 400 })
  const real = await client.devices.create({
    name: 'Real',
    site_id: place.site,
    product_id: 'controller',
    hardware_id: 'hw_REAL-1',
  })
  const gate = await client.gadgets.create({ name: 'Gate', device_id: real.id })
  await expect(client.gadgets.run_action(gate.id, 'open')).rejects.toMatchObject({
    status: 409,
    type: 'hardware_offline',
  })
  expect((await client.events.list({ 'object.gadget_id': gate.id, verb: 'use' })).data).toEqual([])
})

test('the action endpoint needs the whitelabel feature, and repeats only once per key', async () => {
  expect(await client.gadgets.run_action(place.door, 'open', { idempotency_key: 'open-1' })).toEqual({})
  expect(await client.gadgets.run_action(place.door, 'open', { idempotency_key: 'open-1' })).toEqual({})
  const uses = await client.events.list({
    'object.gadget_id': place.door,
    verb: 'use',
    'subject.oauth_application_id': tenant.oauth_application_id,
  })
  expect(uses.data.filter(event => event.subject.member_id === null)).toHaveLength(1)
  await w.server.context.db.query(
    `UPDATE organizations SET features = '{"whitelabel": false}' WHERE id = $1`,
    [tenant.organization_id],
  )
  w.timers.advance(1000)
  await expect(client.gadgets.run_action(place.door, 'open')).rejects.toMatchObject({
    status: 403,
    args: { reason: 'whitelabel_disabled' },
  })
  const { id } = await guest()
  await client.gadgets.execute_as_member(place.door, 'open', { member_id: id })
  const reader = tenant.clientWith(['full_read_only'])
  await expect(reader.gadgets.execute_as_member(place.door, 'open', { member_id: id })).rejects.toMatchObject(
    { status: 403 },
  )
  expect(
    await reader.access_checks.create({ member_id: id, gadget_id: place.door, action_id: 'open' }),
  ).toMatchObject({ allowed: true })
})

test('who can open this, and what can she open: paged', async () => {
  const fresh = await w.tenant('Lists')
  const { door, back, room, otherRoom } = await hotel(fresh.client)
  const ids: string[] = []
  for (let count = 0; count < 5; count++) {
    const { id } = await fresh.client.members.create({ name: `Guest ${count}` })
    await fresh.client.member_group_associations.create(id, { member_group_id: room })
    ids.push(id)
  }
  const first = await fresh.client.gadgets.access<{ member: { name: string } }>(door, {
    action_id: 'open',
    limit: 3,
    expand: ['member'],
  })
  expect(first).toMatchObject({
    has_next: true,
    data: [{ member: { name: expect.stringMatching(/^Guest/) }, requires_location: false }, {}, {}],
  })
  const second = await fresh.client.gadgets.access(door, {
    action_id: 'open',
    limit: 3,
    cursor: first.cursor_next ?? '',
  })
  expect([...first.data, ...second.data].map(entry => entry.member_id).sort()).toEqual([...ids].sort())
  await expect(fresh.client.gadgets.access(back, { cursor: first.cursor_next ?? '' })).rejects.toMatchObject({
    args: { field: 'cursor' },
  })
  await fresh.client.member_group_associations.create(ids[0] as string, { member_group_id: otherRoom })
  const what = await fresh.client.members.access(ids[0] as string, { limit: 1 })
  const rest = await fresh.client.members.access(ids[0] as string, { cursor: what.cursor_next ?? '' })
  expect([...what.data, ...rest.data].map(entry => [entry.gadget_id, entry.action_id]).sort()).toEqual(
    [
      [door, 'open'],
      [back, 'open'],
    ].sort(),
  )
})

test('nobody may use a gadget that can do nothing', async () => {
  const idle = await client.gadgets.create({ name: 'Idle', device_id: place.controller, actions: [] })
  expect(await client.gadgets.access(idle.id)).toEqual({ data: [], has_next: false })
})

test('what a member can ever open is listed with its rules, and what depends on an object is counted', async () => {
  const { client } = await w.tenant()
  const { door, back, room, site, controller } = await hotel(client)
  const weekdays = Array.from({ length: 7 }, (_, day) => ({
    ranges: day === 6 ? [{ start: 0, end: 60 }] : [],
  }))
  const { id: schedule_id } = await client.schedules.create({ name: 'Sunday midnight', weekdays })
  await client.member_groups.edit(room, {
    permissions: [{ gadget_id: back }, { gadget_id: door, schedule_id }],
  })
  const { id } = await client.members.create({ name: 'Grace', ends_at: '2100-01-01T00:00:00Z' })
  const { created_at: granted_at } = await client.member_group_associations.create(id, {
    member_group_id: room,
    starts_at: '2099-01-01T00:00:00Z',
  })
  const dates = {
    starts_at: '2099-01-01T00:00:00.000000Z',
    ends_at: '2100-01-01T00:00:00.000000Z',
    granted_at,
    granted_by: { user_id: null, oauth_application_id: expect.any(String) },
  }

  expect((await client.members.access(id)).data).toEqual([])
  const { data } = await client.members.access(id, { ever: true })
  const doors = Object.fromEntries(data.map(({ gadget_id, rules }) => [gadget_id, rules]))
  expect(doors).toEqual({
    [back]: [{ member_group_id: room, rule_index: 0, ...dates }],
    [door]: [{ member_group_id: room, rule_index: 1, ...dates }],
  })
  const who = await client.gadgets.access(door, { ever: true, limit: 1 })
  expect(who).toMatchObject({ data: [{ member_id: id, rules: [{ rule_index: 1 }] }], has_next: false })

  const lost = { member_group_ids: [room], member_group_count: 1, member_count: 1 }
  expect(await client.schedules.uses(schedule_id)).toEqual({ ...lost, gadget_count: 1 })
  expect(await client.member_groups.uses(room)).toEqual({ ...lost, gadget_count: 2 })
  expect(await client.gadgets.uses(door)).toEqual({ ...lost, gadget_count: 1 })
  expect(await client.devices.uses(controller)).toMatchObject({ member_count: 1, gadget_count: 2 })
  expect(await client.sites.uses(site)).toMatchObject({ member_count: 1, gadget_count: 2 })
  const counted = await client.members.list({ member_group_id: room, limit: 1, with_count: true })
  expect(counted.count).toBe(1)
  expect((await client.gadgets.list({ q: 'nothing', with_count: true })).count).toBe(0)
  expect((await client.gadgets.list({ limit: 1 })).count).toBeUndefined()
})
