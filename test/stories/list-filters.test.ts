import type { PermissionRule } from '@gatehouse-access/api'
import type { Client, ListQuery } from '@gatehouse-access/sdk'
import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

let w: World
let client: Client

beforeAll(async () => {
  w = await world()
  client = (await w.tenant('Hotel')).client
  w.clock.set('2026-11-16T09:30:00Z')
})
afterAll(() => w[Symbol.asyncDispose]())

const namesOf = ({ data }: { data: readonly { name: string | null }[] }) =>
  data.map(({ name }) => name).toSorted()

async function house(name: string, tag_ids: string[] = []) {
  const site = await client.sites.create({ name, timezone: 'Europe/Madrid' })
  const lock = await client.devices.create({ name, site_id: site.id, product_id: 'controller' })
  const door = await client.gadgets.create({
    name: `Door of ${name}`,
    device_id: lock.id,
    tag_ids,
    states: [
      { id: 'closed', name: 'Closed' },
      { id: 'open', name: 'Open' },
    ],
    door: { release_action_id: 'open', open_state_id: 'open', closed_state_id: 'closed' },
  })
  return { site_id: site.id, device_id: lock.id, gadget_id: door.id }
}

test('cards are found that are free, given or suspended', async () => {
  const member = await client.members.create({ name: 'Carla' })
  const [free, given, suspended, lost] = await Promise.all(
    ['Free', 'Given', 'Suspended', 'Lost'].map(name => client.cards.create({ name, printed_code: name })),
  )
  await client.cards.edit(lost?.id ?? '', { is_lost: true })
  await client.member_cards.create(member.id, { card_id: given?.id ?? '' })
  const held = await client.member_cards.create(member.id, { card_id: suspended?.id ?? '' })
  await client.member_cards.edit(member.id, held.id, { is_suspended: true })
  const found = async (query: ListQuery<'card'>) => namesOf(await client.cards.list(query))
  expect(await found({ is_given: true })).toEqual(['Given', 'Suspended'])
  expect(await found({ is_given: false })).toEqual(['Free', 'Lost'])
  expect(await found({ is_given: false, is_lost: false })).toEqual(['Free'])
  expect(await found({ is_suspended: true })).toEqual(['Suspended'])
  expect((await client.cards.list({ is_given: true, with_count: true, limit: 1 })).count).toBe(2)

  await client.members.delete(member.id)
  expect(await found({ is_given: true })).toEqual([])
  expect(await found({ is_suspended: true })).toEqual([])
  expect(free?.id).toBeDefined()
})

test('doors are found that are offline or stand open', async () => {
  const [one, other] = [await house('North'), await house('South')]
  const found = async (query: ListQuery<'gadget'>) => namesOf(await client.gadgets.list(query))
  expect(await found({ is_online: false })).toEqual([])
  await client.devices.simulate(one.device_id, { network: 'offline' })
  await client.devices.simulate(other.device_id, {
    state: { gadget_id: other.gadget_id, state_id: 'open' },
  })
  await expect.poll(() => found({ is_online: false })).toEqual(['Door of North'])
  await expect.poll(() => found({ is_online: true, is_open: true })).toEqual(['Door of South'])
  expect(await found({ is_open: false })).toEqual(['Door of North'])
})

test('devices are found that are low on battery', async () => {
  const [low, full] = [await house('Low'), await house('Full')]
  const charge = (id: string, percent: number) =>
    w.server.context.db.query(
      `UPDATE devices SET status = status || jsonb_build_object('battery_present', true, 'battery_percent', $2::integer) WHERE id = $1`,
      [id, percent],
    )
  await charge(low.device_id, 19)
  await charge(full.device_id, 20)
  const found = async (query: ListQuery<'device'>) => namesOf(await client.devices.list(query))
  expect(await found({ is_battery_low: true })).toEqual(['Low'])
  expect(await found({ is_battery_low: false })).not.toContain('Low')
})

test('members of a site are those of the groups that reach one of its doors, by whatever rule', async () => {
  const tag = await client.tags.create({ name: 'Lifts' })
  const here = await house('Here', [tag.id])
  const elsewhere = await house('Elsewhere')
  const join = async (name: string, permissions: PermissionRule[]) => {
    const group = await client.member_groups.create({ name, permissions })
    const member = await client.members.create({ name })
    await client.member_group_associations.create(member.id, { member_group_id: group.id })
    return group.id
  }
  const bySite = await join('By site', [{ site_id: here.site_id }])
  await join('By door', [{ gadget_id: here.gadget_id }])
  await join('By tag', [{ tag_id: tag.id }])
  await join('By another group', [{ member_group_id: bySite }])
  const everywhere = await join('Everywhere', [{}])
  await join('Only elsewhere', [{ site_id: elsewhere.site_id }])
  await join('Nowhere', [])
  const found = async (site_id: string, more: ListQuery<'member'> = {}) =>
    namesOf(await client.members.list({ site_id, ...more }))
  expect(await found(here.site_id)).toEqual([
    'By another group',
    'By door',
    'By site',
    'By tag',
    'Everywhere',
  ])
  expect(await found(elsewhere.site_id)).toEqual(['Everywhere', 'Only elsewhere'])
  expect(await found(here.site_id, { member_group_id: everywhere })).toEqual(['Everywhere'])
  expect((await client.members.list({ site_id: here.site_id, limit: 1, with_count: true })).count).toBe(5)

  const first = await client.members.list({ site_id: here.site_id, limit: 3 })
  const rest = await client.members.list({ site_id: here.site_id, limit: 3, cursor: first.cursor_next ?? '' })
  expect([...first.data, ...rest.data]).toHaveLength(5)

  await client.gadgets.edit(here.gadget_id, { tag_ids: [] })
  expect(await found(here.site_id)).not.toContain('By tag')
  expect(await found('site_00000000000000000000')).toEqual([])
  await client.sites.delete(here.site_id, { cascade: true })
  expect(await found(here.site_id)).toEqual([])
})

test('cards are found by a group, a site or a tag of the member who has them', async () => {
  const tag = await client.tags.create({ name: 'Course' })
  const here = await house('Here')
  const group = await client.member_groups.create({ name: 'Here', permissions: [{ site_id: here.site_id }] })
  const other = await client.member_groups.create({ name: 'Nowhere', permissions: [] })
  const give = async (name: string, member_group_id: string, tag_ids: string[]) => {
    const member = await client.members.create({ name, tag_ids })
    await client.member_group_associations.create(member.id, { member_group_id })
    const card = await client.cards.create({ name, printed_code: `Card of ${name}` })
    const held = await client.member_cards.create(member.id, { card_id: card.id })
    return { member_id: member.id, held_id: held.id }
  }
  const ada = await give('Ada', group.id, [tag.id])
  await give('Max', other.id, [tag.id])
  const eve = await give('Eve', group.id, [])
  await client.cards.create({ name: 'Free', printed_code: 'Free card' })
  const found = async (query: ListQuery<'card'>) => namesOf(await client.cards.list(query))
  expect(await found({ member_group_id: group.id })).toEqual(['Ada', 'Eve'])
  expect(await found({ site_id: here.site_id })).toEqual(['Ada', 'Eve'])
  expect(await found({ tag_id: tag.id })).toEqual(['Ada', 'Max'])
  expect(await found({ tag_id: tag.id, site_id: here.site_id })).toEqual(['Ada'])
  expect((await client.cards.list({ tag_id: tag.id, limit: 1, with_count: true })).count).toBe(2)
  await client.member_cards.delete(ada.member_id, ada.held_id)
  expect(await found({ member_group_id: group.id })).toEqual(['Eve'])
  await client.members.delete(eve.member_id)
  expect(await found({ member_group_id: group.id })).toEqual([])
})
