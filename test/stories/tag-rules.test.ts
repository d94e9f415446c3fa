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

const refused = (field: string) =>
  expect.objectContaining({ status: 400, args: expect.objectContaining({ field }) })

async function meetingRooms() {
  const tag = await client.tags.create({ name: 'Meeting rooms', applies_to: ['gadget'] })
  const group = await client.member_groups.create({ name: 'Staff', permissions: [{ tag_id: tag.id }] })
  const member = await client.members.create({ name: 'Ada' })
  await client.member_group_associations.create(member.id, { member_group_id: group.id })
  const ask = async (gadget_id: string) => {
    const { reason } = await client.access_checks.create({
      member_id: member.id,
      gadget_id,
      action_id: 'open',
    })
    return reason ?? 'allowed'
  }
  return { tag, group, member, ask }
}

test('a rule for a tag opens every door that has it, from the moment it gets it until it loses it', async () => {
  const { tag, member, ask } = await meetingRooms()
  expect([await ask(place.door), await ask(place.back)]).toEqual(['no_matching_rule', 'no_matching_rule'])
  await client.gadgets.edit(place.door, { tag_ids: [tag.id] })
  expect([await ask(place.door), await ask(place.back)]).toEqual(['allowed', 'no_matching_rule'])
  await client.gadgets.edit(place.back, { tag_ids: [tag.id] })
  expect(await ask(place.back)).toBe('allowed')
  const { data: opened } = await client.members.access(member.id, { ever: true })
  expect(opened.map(({ gadget_id }) => gadget_id).sort()).toEqual([place.door, place.back].sort())
  await client.gadgets.edit(place.door, { tag_ids: [] })
  expect([await ask(place.door), await ask(place.back)]).toEqual(['no_matching_rule', 'allowed'])

  await client.tags.delete(tag.id)
  expect(await ask(place.back)).toBe('no_matching_rule')
  await client.tags.edit(tag.id, { is_deleted: false })
  expect([await ask(place.door), await ask(place.back)]).toEqual(['no_matching_rule', 'allowed'])
})

test('a restored tag is given back to what had it, with one event', async () => {
  const tag = await client.tags.create({ name: 'Renovated' })
  const has = { tag_ids: [tag.id] }
  const member = await client.members.create({ name: 'Grace', ...has })
  const crowded = await client.members.create({ name: 'Max', ...has })
  await client.sites.edit(place.site, has)
  await client.gadgets.edit(place.back, has)
  await client.gadgets.delete(place.back)
  await client.tags.delete(tag.id)
  expect((await client.sites.get(place.site)).tag_ids).toEqual([])
  const others = await Promise.all(
    Array.from({ length: 100 }, (_, index) => client.tags.create({ name: `T${index}` })),
  )
  await client.members.edit(crowded.id, { tag_ids: others.map(({ id }) => id) })

  await client.tags.edit(tag.id, { is_deleted: false })
  expect((await client.members.get(member.id)).tag_ids).toEqual([tag.id])
  expect((await client.members.get(crowded.id)).tag_ids).toHaveLength(100)
  expect((await client.sites.get(place.site)).tag_ids).toEqual([tag.id])
  const [last, before] = (await client.events.list({ limit: 2 })).data
  expect(last).toMatchObject({ verb: 'edit', object: { tag_id: tag.id, reason: 'restored' } })
  expect(before).toMatchObject({ object: { member_id: crowded.id } })
  expect((await client.gadgets.edit(place.back, { is_deleted: false })).tag_ids).toEqual([tag.id])

  await client.members.edit(member.id, { tag_ids: [] })
  await client.tags.delete(tag.id)
  await client.tags.edit(tag.id, { is_deleted: false })
  expect((await client.members.get(member.id)).tag_ids).toEqual([])
})

test('an event says which tag decided, and what a tag opens is counted before it is deleted', async () => {
  const { tag, group, member } = await meetingRooms()
  await client.gadgets.edit(place.door, { tag_ids: [tag.id] })
  await client.gadgets.execute_as_member(place.door, 'open', { member_id: member.id })
  const [event] = (await client.events.list({ verb: 'use', 'object.gadget_id': place.door, limit: 1 })).data
  expect(event?.object.decided_by?.rules).toEqual([
    { member_group_id: group.id, rule_index: 0, tag_id: tag.id },
  ])
  expect(await client.tags.uses(tag.id)).toEqual({
    member_group_ids: [group.id],
    member_group_count: 1,
    member_count: 1,
    gadget_count: 1,
  })
  expect((await client.gadgets.uses(place.door)).member_group_ids).toContain(group.id)
  const { permissions } = await client.member_groups.get(group.id, { expand: ['permissions.tag'] })
  expect(permissions[0]).toMatchObject({ tag_id: tag.id, tag: { name: 'Meeting rooms' } })
})

test('a rule names a tag alone, a tag for doors, and only so many of them', async () => {
  const { tag, group } = await meetingRooms()
  const people = await client.tags.create({ name: 'VIP', applies_to: ['member'] })
  const stranger = await (await w.tenant('Strangers')).client.tags.create({ name: 'Theirs' })
  const edit = (...permissions: object[]) => client.member_groups.edit(group.id, { permissions })
  const both = { tag_id: tag.id, gadget_id: place.door }
  await expect(edit({ tag_id: tag.id, site_id: place.site })).rejects.toEqual(refused('permissions.0.tag_id'))
  await expect(edit({}, both)).rejects.toEqual(refused('permissions.1.tag_id'))
  await expect(edit({ tag_id: people.id })).rejects.toEqual(refused('permissions.0.tag_id'))
  await expect(edit({ tag_id: stranger.id })).rejects.toEqual(refused('permissions.0.tag_id'))
  await expect(edit(...Array(51).fill({ tag_id: tag.id }))).rejects.toThrow(
    'at most 50 rules can have a tag_id, not 51',
  )
  expect((await client.member_groups.get(group.id)).permissions).toMatchObject([{ tag_id: tag.id }])
})

test('who may change doors and not rules neither gives nor takes a tag that opens doors', async () => {
  const { tag } = await meetingRooms()
  const harmless = await client.tags.create({ name: 'Ground floor' })
  const installer = tenant.clientWith(['devices'])
  const put = (...tag_ids: string[]) => installer.gadgets.edit(place.door, { tag_ids })
  const refusal = expect.objectContaining({ status: 403, args: { reason: 'tag_of_rules' } })
  await client.gadgets.edit(place.door, { tag_ids: [] })
  await put(harmless.id)
  await expect(put(harmless.id, tag.id)).rejects.toEqual(refusal)
  await client.gadgets.edit(place.door, { tag_ids: [tag.id] })
  await expect(put()).rejects.toEqual(refusal)
  expect((await put(harmless.id, tag.id)).tag_ids).toEqual([harmless.id, tag.id])
})
