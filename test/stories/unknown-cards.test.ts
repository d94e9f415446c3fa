import type { Client } from '@gatehouse-access/sdk'
import { cleanUp } from '@gatehouse-access/server'
import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

let w: World
let client: Client

beforeAll(async () => {
  w = await world()
  client = (await w.tenant()).client
  w.clock.set('2026-11-17T10:00:00Z')
})
afterAll(() => w[Symbol.asyncDispose]())

async function house() {
  const site = await client.sites.create({ name: 'House', timezone: 'UTC' })
  const controller = await client.devices.create({ name: 'C', site_id: site.id, product_id: 'controller' })
  const reader = await client.devices.create({ name: 'R', site_id: site.id, product_id: 'keypad' })
  const door = await client.gadgets.create({ name: 'Door', device_id: controller.id })
  await client.devices.edit(reader.id, { input_rules: [{ code: '', gadget_id: door.id, action_id: 'open' }] })
  const group = await client.member_groups.create({ name: 'G', permissions: [{ site_id: site.id }] })
  const member = await client.members.create({ name: 'Ada' })
  await client.member_group_associations.create(member.id, { member_group_id: group.id })
  return {
    reader: reader.id,
    door: door.id,
    member: member.id,
    tap: (uid: string) => client.devices.simulate(reader.id, { card: { uid } }),
  }
}

const lastDenial = async (gadget_id: string) =>
  (await client.events.list({ 'object.type': 'access_denial', 'object.gadget_id': gadget_id, limit: 1 }))
    .data[0]

test('a card that nobody has is held to a reader, given to a member, and opens the door', async () => {
  const { reader, door, member, tap } = await house()
  expect((await client.devices.unknown_cards(reader)).data).toEqual([])
  await tap('04a1b2c3')
  const { data } = await client.devices.unknown_cards(reader)
  const free = {
    uid: '04A1B2C3',
    gadget_id: door,
    card_id: null,
    member_id: null,
    is_lost: false,
    is_free: true,
  }
  expect(data).toMatchObject([free])
  const denial = await lastDenial(door)
  expect(JSON.stringify(denial)).not.toMatch(/04a1b2c3/i)
  expect((await client.events.unknown_card(denial?.id ?? '')).data).toMatchObject([free])

  await client.member_cards.create(member, { uid: data[0]?.uid ?? '' })
  expect(await client.devices.unknown_cards(reader)).toMatchObject({
    data: [{ member_id: member, is_free: false }],
  })
  const { events } = await tap('04A1B2C3')
  expect(events).toMatchObject([{ type: 'use', member_id: member }])
  // A card that the reader knows is not noted.
  expect((await client.devices.unknown_cards(reader)).data).toHaveLength(1)
})

test('a lost card is told as such', async () => {
  const { reader, tap } = await house()
  const card = await client.cards.create({ uid: '04FFB2C3' })
  await client.cards.edit(card.id, { is_lost: true })
  await tap('04FFB2C3')
  expect(await client.devices.unknown_cards(reader)).toMatchObject({
    data: [{ card_id: card.id, is_lost: true }],
  })
})

test('a reader that opens nothing reads cards too', async () => {
  const site = await client.sites.create({ name: 'Desk', timezone: 'UTC' })
  const { id } = await client.devices.create({ name: 'Desk', site_id: site.id, product_id: 'keypad' })
  await client.devices.simulate(id, { card: { uid: '0400B2C3' } })
  expect(await client.devices.unknown_cards(id)).toMatchObject({
    data: [{ uid: '0400B2C3', gadget_id: null }],
  })
  const { data } = await client.events.list({ 'object.type': 'access_denial', 'object.device_id': id })
  expect(await client.events.unknown_card(data[0]?.id ?? '')).toMatchObject({ data: [{ uid: '0400B2C3' }] })
})

test('fifty are kept of a reader, for three days; events without one say so', async () => {
  const { reader, door, tap } = await house()
  for (let n = 0; n < 55; n++) {
    w.clock.advance(61)
    await tap(`04${n.toString(16).padStart(6, '0')}`)
  }
  const { data } = await client.devices.unknown_cards(reader)
  expect(data.map(({ uid }) => uid)).toEqual(
    Array.from({ length: 50 }, (_, n) => `04${(54 - n).toString(16).padStart(6, '0')}`.toUpperCase()),
  )
  const denial = await lastDenial(door)
  w.clock.advance(3 * 24 * 3600 + 1)
  await cleanUp(w.server.context)
  expect((await client.devices.unknown_cards(reader)).data).toEqual([])
  expect((await client.events.unknown_card(denial?.id ?? '')).data).toEqual([])
})

test('nobody else sees it', async () => {
  const { reader, door, tap } = await house()
  await tap('0411B2C3')
  const other = (await w.tenant('Other')).client
  await expect(other.devices.unknown_cards(reader)).rejects.toThrow('there is no device')
  await expect(other.events.unknown_card((await lastDenial(door))?.id ?? '')).rejects.toThrow(
    'there is no event',
  )
})
