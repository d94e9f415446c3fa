import { parseListQuery, type Query, resources } from '@gatehouse-access/api'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countEvents } from '../../packages/server/src/store/events/count-events.ts'

let w: World
let tenant: Tenant
let site_id: string
let group_id: string

beforeAll(async () => {
  w = await world()
  tenant = await w.tenant('Hotel')
  w.clock.set('2026-11-16T09:30:00Z')
  const { client } = tenant
  const site = await client.sites.create({ name: 'Madrid', timezone: 'Europe/Madrid' })
  site_id = site.id
  await client.sites.create({ name: 'Tokyo', timezone: 'Asia/Tokyo' })
  group_id = (await client.member_groups.create({ name: 'Staff', permissions: [] })).id
  w.clock.set('2026-11-17T09:30:00Z')
  for (const name of ['Day', 'Night', 'Week']) await client.member_groups.edit(group_id, { name })
})
afterAll(() => w[Symbol.asyncDispose]())

const told = async (query: Parameters<Tenant['client']['events']['list']>[0]) =>
  (await tenant.client.events.list({ ...query, limit: 1, with_count: true })).count

test('events are counted, whatever filters narrow them', async () => {
  const all = (await tenant.client.events.list({ limit: 100 })).data
  expect(await told({})).toBe(all.length)
  expect(await told({ 'object.type': 'site' })).toBe(2)
  expect(await told({ 'object.member_group_id': group_id })).toBe(4)
  expect(await told({ 'object.member_group_id': group_id, verb: 'edit' })).toBe(3)
  expect(await told({ verb: 'edit', 'object.changed_field': 'name' })).toBe(3)
  expect(await told({ verb: 'create', 'created_at:lt': '2026-11-17T00:00:00Z' })).toBe(
    all.filter(({ verb, created_at }) => verb === 'create' && created_at < '2026-11-17').length,
  )
  const late = all.filter(({ created_at }) => created_at > '2026-11-17')
  expect(await told({ 'created_at:ge': '2026-11-17T00:00:00Z' })).toBe(late.length)
  expect(await told({ verb: 'use' })).toBe(0)
  expect(await told({ verb: 'edit', 'object.job_id': 'null' })).toBe(3)
  expect((await tenant.client.events.list({ limit: 1 })).count).toBeUndefined()
})

test('no more events are read than are counted; where that does not tell, nothing is said', async () => {
  const { organization_id } = tenant
  const count = (query: Query, most: number, reach = {}) =>
    countEvents(
      w.server.context.db,
      { organization_id, ...reach },
      parseListQuery(resources.event, query),
      most,
    )
  expect(await count({ 'object.member_group_id': group_id }, 3)).toBe(3)
  expect(await count({ 'object.member_group_id': group_id, verb: 'edit' }, 3)).toBe(3)
  expect(await count({ 'object.member_group_id': group_id, verb: 'create' }, 4)).toBeUndefined()
  expect(await count({ 'object.member_group_id': group_id, verb: 'create' }, 5)).toBe(1)
  expect(await count({ verb: 'edit', 'object.member_group_id': group_id }, 5)).toBe(3)

  const bounds = {
    site_ids: [site_id],
    gadget_ids: new Set<string>(),
    tag_ids: new Set<string>(),
    schedule_ids: [],
    member_group_ids: [],
    confined_group_ids: new Set<string>(),
  }
  expect(await count({}, 5, { bounds })).toBe(1)
  expect(await count({ verb: 'edit' }, 5, { bounds })).toBe(0)
  expect(await count({}, 5, { bounds: { ...bounds, site_ids: [] } })).toBe(0)
})
