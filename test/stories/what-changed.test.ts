import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeSentence } from '../../packages/web/console/src/events/change-words.ts'
import { decidedWords, hasChanged } from '../../packages/web/console/src/events/decided-words.ts'
import { wordsOf } from '../../packages/web/console/src/events/words.ts'
import { type Group, ruleExpands } from '../../packages/web/console/src/groups/rule.ts'
import { sayChange } from '../../packages/web/console/src/imports/say-change.ts'
import type { LiveEvent } from '../../packages/web/console/src/live/stream.ts'
import { nextOpening } from '../../packages/web/console/src/parts/door-time.ts'
import { hotel } from './hotel.ts'

let w: World
let tenant: Tenant
let place: Awaited<ReturnType<typeof hotel>>

beforeAll(async () => {
  w = await world()
  tenant = await w.tenant()
  place = await hotel(tenant.client)
})
afterAll(() => w[Symbol.asyncDispose]())

const range = (start: number, end: number) => ({ start: start * 3600, end: end * 3600 })
const weekdays = (end: number) =>
  Array.from({ length: 7 }, (_, day) => ({ ranges: day < 5 ? [range(8, end)] : [] }))

async function latest(filters: object = {}) {
  const { data } = await tenant.client.events.list({ limit: 1, ...filters })
  return data[0] as unknown as LiveEvent
}

async function denied(act: Promise<unknown>): Promise<LiveEvent> {
  await expect(act).rejects.toMatchObject({ status: 403 })
  return latest({ 'object.type': 'access_denial' })
}

async function inOffice(name: string) {
  const { client } = tenant
  const schedule = await client.schedules.create({ name: 'Office', weekdays: weekdays(18) })
  const permissions = [{ gadget_id: place.door, action_id: 'open', schedule_id: schedule.id }]
  const group = await client.member_groups.create({ name, permissions })
  const member = await client.members.create({ name: 'Anna' })
  await client.member_group_associations.create(member.id, { member_group_id: group.id })
  return { schedule, group, member }
}

test('a denial and a use read as on the day, whatever becomes of the rule', async () => {
  const { client } = tenant
  const { schedule, group, member } = await inOffice('Staff')
  const open = () => client.gadgets.execute_as_member(place.door, 'open', { member_id: member.id })
  w.clock.set('2027-01-17T20:28:05.000000Z')
  const event = await denied(open())
  const zone = await client.sites.zone(place.site)
  const words =
    'It was Sunday 21:28 in Madrid, the rule allowed Mon to Fri 08:00 to 18:00; next allowed Monday 08:00.'
  expect(event.local_time).toBe('2027-01-17T21:28:05')
  expect(decidedWords(event, zone)).toBe(words)
  const rule = event.object.decided_by?.rules?.[0]
  if (!rule) throw new Error('no rule was kept')
  const today = () => client.member_groups.get(group.id, { expand: ruleExpands }) as unknown as Promise<Group>
  expect(hasChanged(rule, await today())).toBe(false)
  w.clock.set('2027-01-18T10:00:00.000000Z')
  await open()
  const use = await latest({ verb: 'use' })
  expect(decidedWords(use, zone)).toBe(
    'It was Monday 11:00 in Madrid, the rule allowed Mon to Fri 08:00 to 18:00.',
  )
  const check = { member_id: member.id, gadget_id: place.door, action_id: 'open', at: event.occurred_at }
  expect(await client.access_checks.create(check)).toMatchObject({ allowed: false, rules_as_of: 'then' })
  await client.schedules.edit(schedule.id, { weekdays: weekdays(12) })
  expect(hasChanged(rule, await today())).toBe(true)
  expect(await client.access_checks.create(check)).toMatchObject({ rules_as_of: 'today' })
  await client.member_groups.edit(group.id, { permissions: [] })
  await client.sites.edit(place.site, { timezone: 'Asia/Tokyo' })
  const again = (await client.events.get(event.id)) as unknown as LiveEvent
  expect(decidedWords(again, zone)).toBe(words)
  expect(hasChanged(rule, await today())).toBe(true)
  expect(await client.access_checks.create({ ...check, at: '2030-01-01T00:00:00Z' })).toMatchObject({
    rules_as_of: null,
  })
  await client.sites.edit(place.site, { timezone: 'Europe/Madrid' })
})

test('only a denial by the time says when access is allowed', async () => {
  const { client } = tenant
  w.clock.set('2027-01-18T10:00:00.000000Z')
  const { group, member } = await inOffice('By PIN')
  const { permissions } = await client.member_groups.get(group.id)
  const byPin = permissions.map(rule => ({ ...rule, access_methods: { pin: true } }))
  await client.member_groups.edit(group.id, { permissions: byPin })
  const open = () => client.gadgets.execute_as_member(place.door, 'open', { member_id: member.id })
  const zone = await client.sites.zone(place.site)
  const by_method = await denied(open())
  expect(by_method.object.reason).toBe('method_not_allowed')
  expect(decidedWords(by_method, zone)).toBe(
    'It was Monday 11:00 in Madrid, the rule allowed Mon to Fri 08:00 to 18:00, by PIN.',
  )
  await client.member_groups.edit(group.id, { permissions })
  await client.members.edit(member.id, { ends_at: '2027-01-18T09:00:00Z' })
  const by_time = await denied(open())
  expect(decidedWords(by_time, zone)).toMatch(/; not allowed within the following year\.$/)
  expect(nextOpening({ reason: 'unknown_credential', next_allowed_at: null })).toBe('')
  expect(nextOpening({ reason: 'member_ended', next_allowed_at: null })).not.toBe('')
})

test('the rules of a past check may have been others once a calendar is deleted, or an inherited group lost its rules', async () => {
  const { client } = tenant
  const { group: above } = await inOffice('Above')
  const { group, member } = await inOffice('Below')
  await client.member_groups.edit(group.id, {
    permissions: [{ gadget_id: place.door, member_group_id: above.id }],
  })
  const calendar = await client.calendars.create({ name: 'Closures' })
  const asked = async (change: () => Promise<unknown>) => {
    const at = w.clock.now()
    w.clock.advance(60)
    const check = { member_id: member.id, gadget_id: place.door, action_id: 'open', at }
    const { rules_as_of: before } = await client.access_checks.create(check)
    await change()
    return [before, (await client.access_checks.create(check)).rules_as_of]
  }
  expect(await asked(() => client.calendars.edit(calendar.id, { name: 'Closed days' }))).toEqual([
    'then',
    'then',
  ])
  expect(await asked(() => client.calendars.delete(calendar.id))).toEqual(['then', 'today'])
  expect(await asked(() => client.member_groups.edit(above.id, { permissions: [] }))).toEqual([
    'then',
    'today',
  ])
})

test('a controller that decided offline tells by what, when it comes back', async () => {
  const { client } = tenant
  const { group, member } = await inOffice('Cleaners')
  const lock = await client.devices.create({ name: 'Lock', site_id: place.site, product_id: 'roomlock' })
  const [gadget] = (await client.gadgets.list({ device_id: lock.id })).data
  const { permissions } = await client.member_groups.get(group.id)
  await client.member_groups.edit(group.id, {
    permissions: permissions.map(rule => ({ ...rule, gadget_id: gadget?.id ?? null })),
  })
  const { id } = await client.member_pins.create(member.id, {})
  const { pin } = await client.member_pins.reveal(member.id, id)
  await client.devices.simulate(lock.id, { network: 'offline' })
  w.clock.set('2027-01-23T09:00:00.000000Z')
  await client.devices.simulate(lock.id, { keys: `${pin}#` })
  await client.member_groups.edit(group.id, { permissions: [{}] })
  await client.devices.simulate(lock.id, { network: 'online' })
  const event = await latest({ 'object.type': 'access_denial', 'object.device_id': lock.id })
  expect(event.object).toMatchObject({
    reason: 'outside_schedule',
    decided_by: { rules: [{ member_group_id: group.id, rule_index: 0, times: 'Mo-Fr 08:00-18:00' }] },
  })
  expect(decidedWords(event, await client.sites.zone(place.site))).toContain(
    'It was Saturday 10:00 in Madrid',
  )
})

test('an edit says what changed, and is found by it', async () => {
  const { client } = tenant
  const { group, member } = await inOffice('Guests')
  await client.members.edit(member.id, { name: 'Ana', metadata: { room: '7' } })
  const event = await latest({ 'object.changed_field': 'metadata' })
  expect(event.object).toMatchObject({
    member_id: member.id,
    changes: [
      { field: 'name', before: 'Anna', after: 'Ana' },
      { field: 'metadata', path: 'room', before: null, after: '7' },
    ],
  })
  expect(event.object.changes?.map(change => changeSentence(change))).toEqual([
    'Name changed from “Anna” to “Ana”.',
    'Metadata “room” was set to “7”.',
  ])
  expect(wordsOf(event).more).toBe('name, metadata')
  await client.member_groups.edit(group.id, { permissions: [] })
  const edited = await latest({ 'object.changed_field': 'permissions' })
  const rule = { gadget_id: place.door, presence: 'none' as const }
  await client.member_groups.edit(group.id, { permissions: [rule] })
  const ruled = await latest({ 'object.changed_field': 'permissions' })
  expect(wordsOf(ruled).more).toBe(`rule 1: nothing → door ${place.door}`)
  await client.member_groups.edit(group.id, { permissions: [{ ...rule, presence: 'gps' }] })
  const near = await latest({ 'object.changed_field': 'permissions' })
  expect(wordsOf(near).more).toBe('rule 1, nearness of the phone: not required → required')
  expect(edited.object).toMatchObject({ member_group_id: group.id })
  expect(edited.object.changes).toHaveLength(1)
  await expect(client.events.list({ 'object.changed_field': 'No such' } as never)).rejects.toMatchObject({
    args: { field: 'object.changed_field' },
  })
})

test('the preview of an import says groups and metadata, of new members only what they have', () => {
  const after = { name: 'Ana', member_group_ids: [place.room], pins: ['new'], metadata: { floor_no: '3' } }
  expect(sayChange({ before: null, after: { ...after, ends_at: null, tag_ids: [] } })).toBe(
    `groups: ${place.room}; PINs: 1; metadata “floor_no”: 3`,
  )
  const before = { metadata: { floor_no: '2', room: '7' } }
  const moved = sayChange({ before, after: { metadata: { floor_no: '3', room: '7' } } })
  expect(moved).toBe('metadata “floor_no”: 2 → 3')
})

test('the versions of an object are listed, newest first and paged', async () => {
  const { client } = tenant
  const { id } = await client.sites.create({ name: 'First', timezone: 'UTC' })
  await client.sites.edit(id, { name: 'Second' })
  await client.sites.delete(id)
  await client.sites.edit(id, { is_deleted: false, name: 'Third' })
  const first = await client.sites.history(id, { limit: 2 })
  expect(first.data).toMatchObject([
    {
      verb: 'edit',
      object: {
        reason: 'restored',
        changes: [
          { field: 'name', before: 'Second', after: 'Third' },
          { field: 'is_deleted', before: true, after: false },
        ],
      },
    },
    { verb: 'delete' },
  ])
  const rest = await client.sites.history(id, { cursor: first.cursor_next ?? '' })
  expect(rest.data.map(({ verb }) => verb)).toEqual(['edit', 'create'])
  expect(rest.has_next).toBe(false)
  const schedule = await client.schedules.create({ name: 'Night', weekdays: weekdays(18) })
  const member = await client.members.create({ name: 'Mia' })
  for (const [versions, found] of [
    ['members', member.id],
    ['schedules', schedule.id],
    ['devices', place.controller],
    ['gadgets', place.door],
    ['member_groups', place.room],
  ] as const)
    expect((await client[versions].history(found)).data.at(-1)).toMatchObject({ verb: 'create' })
  const other = await w.tenant('Other')
  await expect(other.client.sites.history(id)).rejects.toMatchObject({ status: 404 })
  await expect(client.sites.history(id, { cursor: 'x' })).rejects.toMatchObject({ args: { field: 'cursor' } })
})

test('a webhook is named by its host, and its secrets are not told', async () => {
  const { client } = tenant
  const hook = await client.webhooks.create({
    url: 'https://hooks.example.com/T0KEN',
    filter: [{ object_type: 'member' }],
  })
  const added = await latest({ 'object.type': 'webhook' })
  expect(added.object.name).toBe('hooks.example.com')
  expect(wordsOf(added)).toMatchObject({ did: 'added the webhook', what: { name: 'hooks.example.com' } })
  await client.webhooks.edit(hook.id, { url: 'https://hooks.example.com/OTHER' })
  const edited = await latest({ 'object.type': 'webhook' })
  expect(edited.object.changes).toEqual([{ field: 'url', is_secret: true }])
  expect(JSON.stringify(edited)).not.toContain('OTHER')
})
