import type { Client } from '@gatehouse-access/sdk'
import { endSuspensions } from '@gatehouse-access/server'
import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Phone } from './guest.ts'

let w: World
let client: Client

beforeAll(async () => {
  w = await world()
  client = (await w.tenant()).client
  w.clock.set('2026-11-17T10:00:00Z')
})
afterAll(() => w[Symbol.asyncDispose]())

/** A house with a keypad that opens the door, and a resident with a PIN, a card and a link. */
async function house() {
  const site = await client.sites.create({ name: 'House', timezone: 'Europe/Madrid' })
  const controller = await client.devices.create({ name: 'C', site_id: site.id, product_id: 'controller' })
  const keypad = await client.devices.create({ name: 'K', site_id: site.id, product_id: 'keypad' })
  const door = await client.gadgets.create({
    name: 'Door',
    device_id: controller.id,
    actions: [
      { id: 'open', name: 'Open' },
      { id: 'leave', name: 'Leave' },
    ],
    door: { release_action_id: 'open', exit_action_ids: ['leave'] },
  })
  await client.devices.edit(keypad.id, {
    input_rules: [
      { code: '', gadget_id: door.id, action_id: 'open' },
      { code: '*1', gadget_id: door.id, action_id: 'leave' },
    ],
  })
  const group = await client.member_groups.create({ name: 'Residents', permissions: [{ site_id: site.id }] })
  const member = await client.members.create({ name: 'Resident' })
  await client.member_group_associations.create(member.id, { member_group_id: group.id })
  const pin = await client.member_pins.create(member.id, {})
  const link = await client.member_magic_links.create(member.id, {})
  const type = async (keys: string) => {
    const { events } = await client.devices.simulate(keypad.id, { keys: `${keys}#` })
    return events.map(event => ('reason' in event ? event.reason : event.type))
  }
  const ask = (more: object = {}) =>
    client.access_checks.create({ member_id: member.id, gadget_id: door.id, action_id: 'open', ...more })
  return {
    member: member.id,
    keypad: keypad.id,
    controller: controller.id,
    door: door.id,
    pin,
    link,
    type,
    ask,
  }
}

const lastEdit = async (filter: object) =>
  (await client.events.list({ verb: 'edit', limit: 1, ...filter })).data[0]

test('a suspended member is refused at the next try, may leave, and comes back with one edit', async () => {
  const { member, pin, type, ask } = await house()
  expect(await type(pin.pin)).toEqual(['use'])
  const suspended = await client.members.edit(member, {
    is_suspended: true,
    suspended_reason: 'Lost her bag',
  })
  expect(suspended).toMatchObject({
    is_suspended: true,
    suspended_until: null,
    suspended_reason: 'Lost her bag',
  })
  expect(await type(pin.pin)).toEqual(['member_suspended'])
  expect(await type(`*1${pin.pin}`)).toEqual(['use'])
  expect(await ask()).toMatchObject({ allowed: false, reason: 'member_suspended', next_allowed_at: null })
  expect(await lastEdit({ 'object.member_id': member, 'object.type': 'member' })).toMatchObject({
    object: { type: 'member', reason: 'suspended' },
  })
  expect((await client.members.list({ is_suspended: true })).data.map(({ id }) => id)).toContain(member)
  expect((await client.members.access(member)).data.map(({ action_id }) => action_id)).toEqual(['leave'])

  const resumed = await client.members.edit(member, { is_suspended: false })
  expect(resumed).toMatchObject({ is_suspended: false, suspended_until: null, suspended_reason: null })
  expect(await type(pin.pin)).toEqual(['use'])
  expect(await lastEdit({ 'object.member_id': member, 'object.type': 'member' })).toMatchObject({
    object: { reason: 'resumed' },
  })
})

test('a suspension ends to the second, and the service lifts it', async () => {
  const { member, pin, type } = await house()
  const until = '2026-11-17T12:00:00Z'
  await client.members.edit(member, {
    is_suspended: true,
    suspended_until: until,
    suspended_reason: 'Until noon',
  })
  w.clock.set('2026-11-17T11:59:59Z')
  expect(await type(pin.pin)).toEqual(['member_suspended'])
  await endSuspensions(w.server.context)
  expect(await client.members.get(member)).toMatchObject({ is_suspended: true })
  w.clock.set(until)
  expect(await type(pin.pin)).toEqual(['use'])
  await endSuspensions(w.server.context)
  expect(await client.members.get(member)).toMatchObject({
    is_suspended: false,
    suspended_until: null,
    suspended_reason: null,
  })
  const lifted = await lastEdit({ 'object.member_id': member, 'object.type': 'member' })
  expect(lifted).toMatchObject({ object: { reason: 'resumed' } })
  expect(lifted?.subject).toMatchObject({ user_id: null, oauth_application_id: null })
})

test('a suspended PIN is refused while the member passes otherwise', async () => {
  const { member, pin, type, ask } = await house()
  await client.member_pins.edit(member, pin.id, { is_suspended: true })
  expect(await type(pin.pin)).toEqual(['credential_suspended'])
  expect(await ask({ credential_id: pin.id, member_id: undefined })).toMatchObject({
    reason: 'credential_suspended',
  })
  expect(await ask()).toMatchObject({ allowed: true })
  await client.member_pins.edit(member, pin.id, { is_suspended: false })
  expect(await type(pin.pin)).toEqual(['use'])
})

test('a suspended link neither signs in nor shows the PIN', async () => {
  const { member, link, pin, door } = await house()
  const phone = new Phone(w)
  await phone.enter(link.link)
  expect((await phone.ask('POST', `/pins/${pin.id}/reveal`)).status).toBe(200)
  await client.member_magic_links.edit(member, link.id, { is_suspended: true })
  const refused = { status: 403, body: { args: { reason: 'credential_suspended' } } }
  expect(await phone.ask('POST', `/pins/${pin.id}/reveal`)).toMatchObject(refused)
  expect(await phone.open(door)).toMatchObject(refused)
  expect(await new Phone(w).enter(link.link)).toMatchObject(refused)
  await client.member_magic_links.edit(member, link.id, { is_suspended: false })
  expect(await phone.open(door)).toMatchObject({ status: 200 })

  // Of a suspended member, the page still lists the doors, and says why they do not open.
  await client.members.edit(member, { is_suspended: true })
  const { body } = await phone.ask<{ data: { actions: { id: string; ways: { reason: string }[] }[] }[] }>(
    'GET',
    '/gadgets',
  )
  const ways = body.data[0]?.actions.find(({ id }) => id === 'open')?.ways
  expect(new Set(ways?.map(({ reason }) => reason))).toEqual(new Set(['member_suspended']))
})

test('suspended inputs refuse whoever stands there, and nobody elsewhere', async () => {
  const { member, keypad, pin, type, ask, door } = await house()
  await client.devices.edit(keypad, { is_suspended: true, suspended_reason: 'Vandalized' })
  expect(await type(pin.pin)).toEqual(['device_suspended'])
  expect(await type(`*1${pin.pin}`)).toEqual(['use'])
  expect(await ask({ access_method: 'pin', device_id: keypad })).toMatchObject({ reason: 'device_suspended' })
  expect(await ask({ access_method: 'pin' })).toMatchObject({ allowed: true })
  expect(await ask()).toMatchObject({ allowed: true })
  await client.gadgets.execute_as_member(door, 'open', { member_id: member })
  await client.devices.edit(keypad, { is_suspended: false })
  expect(await type(pin.pin)).toEqual(['use'])
})

test('an end and a reason need a suspension, and an end lies in the future', async () => {
  const { member } = await house()
  const refused = (field: string) => ({ status: 400, args: { field } })
  const edit = (body: object) => client.members.edit(member, body)
  await expect(edit({ suspended_until: '2026-12-01T00:00:00Z' })).rejects.toMatchObject(
    refused('suspended_until'),
  )
  await expect(edit({ suspended_reason: 'Why' })).rejects.toMatchObject(refused('suspended_reason'))
  await expect(edit({ is_suspended: true, suspended_until: '2026-11-17T10:00:00Z' })).rejects.toMatchObject(
    refused('suspended_until'),
  )
  await edit({ is_suspended: true })
  await edit({ suspended_reason: 'Why' })
  expect(await edit({ is_suspended: false })).toMatchObject({ suspended_reason: null })
})
