import type { Client } from '@gatehouse-access/sdk'
import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hotel } from './hotel.ts'

let w: World
let client: Client

beforeAll(async () => {
  w = await world()
  client = (await w.tenant()).client
})
afterAll(() => w[Symbol.asyncDispose]())

const refused = (field: string) =>
  expect.objectContaining({ status: 400, args: expect.objectContaining({ field }) })
const week = (...ranges: { start: number; end: number }[]) => Array.from({ length: 7 }, () => ({ ranges }))

test('a schedule has seven days whose ranges lie in the day and do not overlap', async () => {
  const make = (weekdays: ReturnType<typeof week>) => client.schedules.create({ name: 'Hours', weekdays })
  await expect(make(week().slice(1))).rejects.toEqual(refused('weekdays'))
  await expect(make(week({ start: 0, end: 86401 }))).rejects.toEqual(refused('weekdays.0.ranges.0.end'))
  await expect(make(week({ start: 100, end: 100 }))).rejects.toEqual(refused('weekdays.0.ranges.0.end'))
  await expect(make(week({ start: 50, end: 100 }, { start: 0, end: 51 }))).rejects.toEqual(
    refused('weekdays.0.ranges.0'),
  )
  const schedule = await make(week({ start: 0, end: 100 }, { start: 100, end: 86400 }))
  expect(await client.schedules.edit(schedule.id, { name: 'Always' })).toMatchObject({
    name: 'Always',
    weekdays: schedule.weekdays,
  })
})

test('rules: site and gadget exclude each other, an action needs its gadget, references must live', async () => {
  const { site, door } = await hotel(client)
  const make = (...permissions: object[]) => client.member_groups.create({ name: 'Group', permissions })
  await expect(make({ site_id: site, gadget_id: door })).rejects.toEqual(refused('permissions.0.site_id'))
  await expect(make({}, { action_id: 'open' })).rejects.toEqual(refused('permissions.1.action_id'))
  await expect(make({ gadget_id: door, action_id: 'fly' })).rejects.toEqual(
    refused('permissions.0.action_id'),
  )
  await expect(make({ schedule_id: 'sch_00000000000000000000' })).rejects.toEqual(
    refused('permissions.0.schedule_id'),
  )
  const group = await make({}, { site_id: site, presence: 'gps', access_methods: { pin: true } })
  const shown = await client.member_groups.get(group.id, { expand: ['permissions.site'] })
  expect(shown.permissions).toMatchObject([{}, { site: { id: site } }])
  expect(shown.permissions[0]).toEqual({})
})

test('inheritance has no cycles, not even one made by two edits at once', async () => {
  const make = async () => (await client.member_groups.create({ name: 'Group', permissions: [] })).id
  const inherit = (id: string, ...from: string[]) =>
    client.member_groups.edit(id, { permissions: from.map(member_group_id => ({ member_group_id })) })
  const [a, b, c] = [await make(), await make(), await make()]
  await expect(inherit(a, a)).rejects.toEqual(refused('permissions'))
  await inherit(a, b)
  await inherit(b, c)
  await expect(inherit(c, a)).rejects.toEqual(refused('permissions'))
  for (let round = 0; round < 2; round++) {
    const [x, y] = [await make(), await make()]
    const outcomes = await Promise.allSettled([inherit(x, y), inherit(y, x)])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  }
})

test('tags apply to the kinds they name; deleting one removes it everywhere', async () => {
  const tag = await client.tags.create({ name: 'VIP', color: '#ABCDEF', applies_to: ['member'] })
  expect(tag.color).toBe('#abcdef')
  await expect(client.sites.create({ name: 'S', timezone: 'UTC', tag_ids: [tag.id] })).rejects.toEqual(
    refused('tag_ids'),
  )
  const member = await client.members.create({ tag_ids: [tag.id] })
  expect((await client.members.list({ tag_ids: [tag.id], expand: ['tags'] })).data).toMatchObject([
    { id: member.id, tags: [{ name: 'VIP' }] },
  ])
  await client.tags.edit(tag.id, { applies_to: ['site'] })
  expect(await client.members.edit(member.id, { name: 'Kept' })).toMatchObject({ tag_ids: [tag.id] })
  await client.tags.delete(tag.id)
  expect(await client.members.get(member.id)).toMatchObject({ tag_ids: [] })
})

test('cards: one of uid, printed code and stock id; a card has one member at a time', async () => {
  await expect(client.cards.create({ name: 'Nameless' })).rejects.toEqual(refused('uid'))
  await expect(client.cards.create({ uid: '0102' })).rejects.toEqual(refused('uid'))
  await expect(client.cards.create({ id: 'crd_00000000000000000000' })).rejects.toEqual(refused('id'))
  const card = await client.cards.create({ uid: 'aabbccdd', printed_code: 'P-1' })
  await expect(client.cards.create({ uid: 'AABBCCDD' })).rejects.toEqual(refused('uid'))
  const [first, second] = [await client.members.create({}), await client.members.create({})]
  const held = await client.member_cards.create(first.id, { printed_code: 'P-1' })
  expect(held).toMatchObject({ card_id: card.id, uid: 'AABBCCDD', printed_code: 'P-1' })
  await expect(client.member_cards.create(second.id, { card_id: card.id })).rejects.toEqual(
    refused('card_id'),
  )
  await expect(client.member_cards.create(second.id, { printed_code: 'P-2' })).rejects.toEqual(
    refused('printed_code'),
  )
  await expect(
    client.member_cards.create(second.id, { uid: '01020304', printed_code: 'P-1' }),
  ).rejects.toMatchObject({ status: 400 })
  await client.cards.edit(card.id, { name: 'Blue card' })
  expect(await client.member_cards.get(first.id, held.id)).toMatchObject({ name: 'Blue card' })
  await client.member_cards.delete(first.id, held.id)
  await client.member_cards.create(second.id, { card_id: card.id })
  await expect(client.member_cards.edit(first.id, held.id, { is_deleted: false })).rejects.toMatchObject({
    status: 400,
  })
  expect(await client.cards.get(card.id, { expand: ['member_cards.member'] })).toMatchObject({
    member_cards: [{ member: { id: second.id } }],
  })
})

test('PINs: unique, of a safe length, never weak when generated', async () => {
  const member = await client.members.create({})
  const pins = await Promise.all(Array.from({ length: 20 }, () => client.member_pins.create(member.id, {})))
  expect(new Set(pins.map(({ pin }) => pin)).size).toBe(20)
  expect(pins.every(({ length, pin }) => length === 6 && pin.length === 6)).toBe(true)
  const chosen = await client.member_pins.create(member.id, { pin: '4711' })
  expect(chosen).toMatchObject({ length: 4, pin: '4711' })
  await expect(client.member_pins.create(member.id, { pin: '4711' })).rejects.toEqual(refused('pin'))
  await expect(client.member_pins.create(member.id, { pin: '4712', length: 5 })).rejects.toEqual(
    refused('length'),
  )
  await expect(client.member_pins.create(member.id, { length: 3 })).rejects.toEqual(refused('length'))
  await expect(client.member_pins.create(member.id, { pin: '12a4' })).rejects.toEqual(refused('pin'))
})

test('a removed v1 field gets the hint what replaced it', async () => {
  await expect(client.members.create({ email: 'a@example.com' } as never)).rejects.toMatchObject({
    args: { field: 'email' },
    message: expect.stringContaining('/members/{member_id}/emails'),
  })
})

test('members are listed by their group: by name, page by page, without those who left it or were deleted', async () => {
  const { id: member_group_id } = await client.member_groups.create({ name: 'Swimmers' })
  const join = async (name: string) => {
    const { id } = await client.members.create({ name })
    return { id, association: await client.member_group_associations.create(id, { member_group_id }) }
  }
  const [, left, gone] = [await join('Ana'), await join('Bo'), await join('Cy')]
  await join('Dora')
  await client.members.create({ name: 'Ana Elsewhere' })
  await client.member_group_associations.delete(left.id, left.association.id)
  await client.members.delete(gone.id)
  const names = async (query: object) =>
    (await client.members.list({ member_group_id, ...query })).data.map(({ name }) => name)
  expect(await names({})).toEqual(['Dora', 'Ana'])
  expect(await names({ q: 'ana' })).toEqual(['Ana'])
  expect(await names({ is_deleted: true })).toEqual(['Cy'])
  const first = await client.members.list({ member_group_id, limit: 1 })
  expect(await names({ limit: 1, cursor: first.cursor_next })).toEqual(['Ana'])
  await expect(client.members.list({ member_group_id: left.id })).rejects.toEqual(refused('member_group_id'))
})
