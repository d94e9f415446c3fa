import type { Client } from '@gatehouse-access/sdk'
import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

let w: World
let client: Client
let reader: string
let group: string
let count = 0

/** A house with a reader that opens the door for everybody in the group. */
beforeAll(async () => {
  w = await world()
  client = (await w.tenant()).client
  w.clock.set('2026-11-17T10:00:00Z')
  const site = await client.sites.create({ name: 'House', timezone: 'Europe/Madrid' })
  const device = await client.devices.create({ name: 'Reader', site_id: site.id, product_id: 'controller' })
  reader = device.id
  await client.gadgets.create({
    name: 'Door',
    device_id: reader,
    actions: [{ id: 'open', name: 'Open' }],
    door: { release_action_id: 'open' },
  })
  group = (await client.member_groups.create({ name: 'Residents', permissions: [{ site_id: site.id }] })).id
})
afterAll(() => w[Symbol.asyncDispose]())

const newUid = () => `04AA00${String(++count).padStart(2, '0')}`

async function resident() {
  const member = await client.members.create({ name: 'Resident' })
  await client.member_group_associations.create(member.id, { member_group_id: group })
  const uid = newUid()
  const held = await client.member_cards.create(member.id, { uid })
  return { member: member.id, uid, held: held.id, card: held.card_id }
}

async function tap(uid: string) {
  const { events } = await client.devices.simulate(reader, { card: { uid } })
  return events.map(event => event.reason ?? event.type)
}

const refused = (message: RegExp) => ({ status: 400, message: expect.stringMatching(message) })

test('a lost card opens nothing from that moment, and is given to nobody until it is found', async () => {
  const { member, uid, held, card } = await resident()
  expect(await tap(uid)).toEqual(['use'])
  const lost = await client.cards.edit(card, { is_lost: true, lost_reason: 'Left on the bus' })
  expect(lost).toMatchObject({ is_lost: true, lost_at: expect.any(String), lost_reason: 'Left on the bus' })
  expect(await tap(uid)).toEqual(['unknown_credential'])
  expect(await client.member_cards.get(member, held)).toMatchObject({ is_deleted: true })
  expect((await client.cards.list({ is_lost: true, uid })).data).toHaveLength(1)
  const { data } = await client.events.list({ 'object.card_id': card, verb: 'edit' })
  expect(data).toHaveLength(1)

  const other = await client.members.create({ name: 'Other' })
  for (const named of [{ uid }, { card_id: card }])
    await expect(client.member_cards.create(other.id, named)).rejects.toMatchObject(
      refused(/reported lost at/),
    )
  await expect(client.member_cards.edit(member, held, { is_deleted: false })).rejects.toMatchObject(
    refused(/reported lost at/),
  )
  await expect(
    client.grants.create({
      member: { name: 'G' },
      member_group_ids: [group],
      credentials: { card: { uid } },
    }),
  ).rejects.toMatchObject(refused(/reported lost at/))
  await expect(client.cards.delete(card)).rejects.toMatchObject(refused(/is kept/))

  const found = await client.cards.edit(card, { is_lost: false })
  expect(found).toMatchObject({ is_lost: false, lost_at: null, lost_reason: null })
  expect(await tap(uid)).toEqual(['unknown_credential'])
  await client.member_cards.edit(member, held, { is_deleted: false })
  expect(await tap(uid)).toEqual(['use'])
})

test('a deleted member does not come back with a card that was lost meanwhile', async () => {
  const { member, uid, card } = await resident()
  await client.members.delete(member)
  await client.cards.edit(card, { is_lost: true })
  await client.members.edit(member, { is_deleted: false })
  expect(await tap(uid)).toEqual(['unknown_credential'])
  expect((await client.member_cards.list(member)).data).toEqual([])
})

test('a card is replaced in one step, and nothing happens if the new one cannot be given', async () => {
  const { member, uid, held, card } = await resident()
  const taken = await resident()
  for (const wrong of [
    { uid: taken.uid },
    { card_id: card },
    { printed_code: 'none' },
    {},
    { uid: newUid(), card_id: card },
  ])
    await expect(client.member_cards.replace(member, held, wrong)).rejects.toMatchObject({ status: 400 })
  expect(await client.cards.get(card)).toMatchObject({ is_lost: false })
  expect(await tap(uid)).toEqual(['use'])

  const next = newUid()
  const made = await client.member_cards.replace(member, held, { uid: next, lost_reason: 'Stolen' })
  expect(made).toMatchObject({ member_id: member, uid: next, is_deleted: false })
  expect(await client.cards.get(card)).toMatchObject({ is_lost: true, lost_reason: 'Stolen' })
  expect([await tap(uid), await tap(next)]).toEqual([['unknown_credential'], ['use']])
  await expect(client.member_cards.replace(member, held, { uid: newUid() })).rejects.toMatchObject(
    refused(/does not have this card any more/),
  )
})

test('of two who replace a card at once, one does', async () => {
  const { member, held } = await resident()
  const tries = await Promise.allSettled(
    [newUid(), newUid()].map(uid => client.member_cards.replace(member, held, { uid })),
  )
  expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect((await client.member_cards.list(member)).data).toHaveLength(1)
})

test('a reason without a loss is refused', async () => {
  const { card } = await resident()
  await expect(client.cards.edit(card, { lost_reason: 'x' })).rejects.toMatchObject(
    refused(/only together with "is_lost"/),
  )
})
