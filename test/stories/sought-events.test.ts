import { parseListQuery, type Query, resources } from '@gatehouse-access/api'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findAsked } from '../../packages/server/src/services/objects/find-asked.ts'
import { countEvents } from '../../packages/server/src/store/events/count-events.ts'
import { namedStatement } from '../../packages/server/src/store/events/find-named.ts'
import { endStatement, findEnd } from '../../packages/server/src/store/events/sought-events.ts'
import { listObjects, listStatement, type Page, shapeOf } from '../../packages/server/src/store/list.ts'
import type { Reach } from '../../packages/server/src/store/where.ts'
import { fillPage } from '../../packages/web/console/src/data/fill-page.ts'

const { event } = resources
const many = 150
const events = 36_000
/** Of the newest, none is of the groups and tags. */
const strange = 12_000
const earlier = events - strange

let w: World
let tenant: Tenant
let reach: Reach
let groups: { few: string; many: string }
let tags: { few: string; many: string }
let site_id: string

beforeAll(async () => {
  w = await world()
  tenant = await w.tenant('Campus')
  reach = { organization_id: tenant.organization_id }
  const { client } = tenant
  const group = async (name: string) => (await client.member_groups.create({ name, permissions: [] })).id
  const tag = async (name: string) => (await client.tags.create({ name })).id
  groups = { few: await group('Few'), many: await group('Many') }
  tags = { few: await tag('Few'), many: await tag('Many') }
  const site = async (name: string) => (await client.sites.create({ name, timezone: 'Europe/Madrid' })).id
  site_id = await site('Own')
  const device = await client.devices.create({ name: 'C', site_id, product_id: 'controller' })
  const door = await client.gadgets.create({ name: 'Door', device_id: device.id })
  await fill(await site('Other'), door.id)
})
afterAll(() => w[Symbol.asyncDispose]())

/** Members 1 to 150 are in the large group, 501 to 503 in the small one; doors 1 to 150 have one tag, 301 and 302 the other. */
function fill(other_site_id: string, door: string): Promise<void> {
  const id = (prefix: string, number: string) => `'${prefix}_' || lpad((${number})::text, 20, '0')`
  const { organization_id } = tenant
  return w.server.context.db.transaction(async inner => {
    const statements = [
      `SET LOCAL session_replication_role = replica`,
      `INSERT INTO gadgets SELECT made.* FROM gadgets g, generate_series(1, 400) n, jsonb_populate_record(g, jsonb_build_object(
         'id', ${id('gad', 'n')}, 'is_deleted', n = 302, 'site_id', CASE WHEN n <= 200 THEN g.site_id ELSE '${other_site_id}' END,
         'tag_ids', CASE WHEN n <= ${many} THEN '["${tags.many}"]' WHEN n IN (301, 302) THEN '["${tags.few}"]' ELSE '[]' END::jsonb)) made
       WHERE g.id = '${door}'`,
      `INSERT INTO member_group_associations SELECT ${id('mga', 'n')}, '${organization_id}', ${id('mem', 'n')},
         CASE WHEN n <= ${many} THEN '${groups.many}' ELSE '${groups.few}' END, NULL, NULL, false, now(), '{}'
       FROM generate_series(1, 503) n WHERE n <= ${many} OR n > 500`,
      `INSERT INTO events (id, organization_id, subject, verb, object, created_at, recorded_at, clock_adjusted)
       SELECT ${id('evt', 'n')}, '${organization_id}',
         jsonb_build_object('member_id', CASE WHEN n <= ${earlier} THEN ${id('mem', 'n % 997 + 1')} ELSE ${id('mem', '999')} END),
         CASE WHEN n % 10 = 0 THEN 'edit' ELSE 'use' END,
         jsonb_build_object('type', 'gadget_action', 'gadget_id', CASE WHEN n <= ${earlier} THEN ${id('gad', 'n % 400 + 1')} ELSE ${id('gad', '399')} END),
         made, made, false FROM generate_series(1, ${events}) n, LATERAL (SELECT '2026-11-01'::timestamptz + n / 2 * interval '1 second') t(made)`,
      'SET LOCAL session_replication_role = DEFAULT',
      'ANALYZE events',
      'ANALYZE gadgets',
      'ANALYZE member_group_associations',
    ]
    for (const statement of statements) await inner.query(statement, [], { prepare: false })
  })
}

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** What the filters mean, by the numbers that are in the IDs. */
const people = { few: new Set(numbered(501, 503)), many: new Set(numbered(1, many)) }
const doors = { few: new Set([301, 302]), many: new Set(numbered(1, many)) }

interface Wanted {
  readonly group?: keyof typeof people
  readonly tag?: keyof typeof doors
  readonly verb?: string
  readonly sort?: string
  readonly is_bound?: boolean
}

function bruteForce({ group, tag, verb, sort, is_bound }: Wanted): string[] {
  const matching = numbered(1, earlier).filter(n => {
    const door = (n % 400) + 1
    return (
      (!group || people[group].has((n % 997) + 1)) &&
      (!tag || doors[tag].has(door)) &&
      (!verb || (verb === 'edit') === (n % 10 === 0)) &&
      (!is_bound || door <= 200)
    )
  })
  const ids = matching.map(n => `evt_${String(n).padStart(20, '0')}`)
  return sort?.endsWith(':asc') ? ids : ids.reverse()
}

function queryOf({ group, tag, verb, sort }: Wanted): Query {
  return {
    ...(group && { member_group_id: groups[group] }),
    ...(tag && { tag_id: tags[tag] }),
    ...(verb && { verb }),
    ...(sort && { sort }),
  }
}

const asked = (query: Query, within = reach) =>
  findAsked(w.server.context.db, w.server.context, within, parseListQuery(event, query))

/** A role at the site with so many doors. */
function boundTo(site_ids: string[], count: number): Reach {
  const bounds = {
    site_ids,
    gadget_ids: new Set(numbered(1, count).map(String)),
    tag_ids: new Set<string>(),
    schedule_ids: [],
    member_group_ids: Object.values(groups),
    confined_group_ids: new Set<string>(),
  }
  return { ...reach, bounds }
}

async function readAll(query: Query, within = reach): Promise<string[]> {
  const found = await asked(query, within)
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const page: Page<{ readonly id: string }> = await listObjects(w.server.context.db, event, within, {
      ...found,
      limit: 500,
      cursor,
    })
    ids.push(...page.data.map(({ id }) => id))
    cursor = page.cursor_next
  } while (cursor)
  return ids
}

describe('a list of all pages has exactly what the filters ask for, in its order', () => {
  test.each<Wanted>([
    { group: 'few' },
    { group: 'few', sort: 'created_at:asc', verb: 'edit' },
    { group: 'few', sort: 'recorded_at:asc' },
    { group: 'many' },
    { group: 'many', sort: 'created_at:asc' },
    { group: 'many', verb: 'edit' },
    { tag: 'few' },
    { tag: 'few', verb: 'edit' },
    { tag: 'many', sort: 'recorded_at:desc' },
    { group: 'many', tag: 'few' },
    { group: 'few', tag: 'many' },
    { group: 'many', tag: 'many', sort: 'created_at:asc' },
  ])('%o', async wanted => {
    expect(await readAll(queryOf(wanted))).toEqual(bruteForce(wanted))
  })

  test.each<[number, Wanted]>([
    [1, { group: 'few' }],
    [1, { group: 'many' }],
    [200, { group: 'many' }],
    [200, { tag: 'many', verb: 'edit' }],
  ])('for a role at a site with %i doors: %o', async (count, wanted) => {
    const ids = await readAll(queryOf(wanted), boundTo([site_id], count))
    expect(ids).toEqual(bruteForce({ ...wanted, is_bound: true }))
  })
})

test('where nothing is found among 10,000 events, a page is empty and leads on', async () => {
  const page = await tenant.client.events.list({ member_group_id: groups.many, limit: 20 })
  expect(page).toMatchObject({ data: [], has_next: true })
  const countOf = async (query: object) =>
    (await tenant.client.events.list({ ...query, limit: 1, with_count: true })).count
  expect(await countOf({ 'created_at:ge': page.searched_to })).toBe(10_000)
  expect(await countOf({ 'created_at:gt': page.searched_to })).toBeLessThan(10_000)
  const filled = await fillPage(undefined, 20, cursor =>
    tenant.client.events.list({ member_group_id: groups.many, limit: 20, ...(cursor && { cursor }) }),
  )
  expect(filled.data.map(({ id }) => id)).toEqual(bruteForce({ group: 'many' }).slice(0, 20))
  expect(filled.searched_to).toBeUndefined()
  const loaded: (string | undefined)[] = []
  const endless = await fillPage(undefined, 20, async cursor => {
    loaded.push(cursor)
    return { ...page, cursor_next: `${loaded.length}` }
  })
  expect(loaded).toEqual([undefined, '1', '2', '3', '4'])
  expect(endless).toMatchObject({ data: [], has_next: true, cursor_next: '5', searched_to: page.searched_to })
  const few = await tenant.client.events.list({ member_group_id: groups.few, limit: 20 })
  expect(few.data.map(({ id }) => id)).toEqual(bruteForce({ group: 'few' }).slice(0, 20))
})

test('events of few are counted, those of many unless too many others are among them', async () => {
  const { db } = w.server.context
  const count = async (wanted: Wanted, within = reach) =>
    countEvents(db, within, await asked(queryOf(wanted), within), 10_000)
  expect(await count({ group: 'few' })).toBe(bruteForce({ group: 'few' }).length)
  expect(await count({ tag: 'few', verb: 'edit' })).toBe(bruteForce({ tag: 'few', verb: 'edit' }).length)
  expect(await count({ group: 'many' })).toBeUndefined()
  const bound = { group: 'few', is_bound: true } as const
  expect(await count(bound, boundTo([site_id], 1))).toBe(bruteForce(bound).length)
})

test('an export has all of them', async () => {
  const headers = { authorization: `Bearer ${tenant.token}` }
  const query = new URLSearchParams({ member_group_id: groups.many, verb: 'edit', format: 'ndjson' })
  const response = await fetch(`${w.url}/v2/events/export?${query}`, { headers })
  const lines = (await response.text()).trim().split('\n')
  const wanted = bruteForce({ group: 'many', verb: 'edit', sort: 'recorded_at:asc' })
  expect(lines.map(line => JSON.parse(line).id)).toEqual(wanted)
})

test('webhooks cannot ask for them, because events do not say who is in a group', async () => {
  const rule = { object_type: 'gadget_action', member_group_id: groups.few }
  const created = tenant.client.webhooks.create({ url: 'https://example.com/hook', filter: [rule] })
  await expect(created).rejects.toMatchObject({ status: 400, args: { field: 'filter.0.member_group_id' } })
})

interface PlanNode {
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

/** The most rows that one step of a plan has read. */
function mostRead({ Plans = [], 'Rows Removed by Filter': removed = 0, ...node }: PlanNode): number {
  return Math.max((node['Actual Rows'] + removed) * node['Actual Loops'], ...Plans.map(mostRead))
}

test.each<Wanted>([
  { group: 'few' },
  { group: 'few', verb: 'edit' },
  { group: 'many' },
  { group: 'many', verb: 'edit' },
  { tag: 'few' },
  { tag: 'many' },
  { group: 'few', sort: 'recorded_at:asc' },
])('a page reads at most 10,000 events: %o', async wanted => {
  const query = await asked(queryOf(wanted))
  const shape = shapeOf(event, reach, query, undefined)
  const { db } = w.server.context
  const ending = endStatement(reach, query, shape, undefined)
  const end = await findEnd(db, reach, query, shape, undefined)
  for (const { text, params } of [ending, listStatement(event, reach, query, undefined, end)]) {
    const [row] = await db.query<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      params,
    )
    const [found] = row?.['QUERY PLAN'] ?? []
    expect(found && mostRead(found.Plan)).toBeLessThanOrEqual(10_000)
  }
})

test('whether a group is small is read by its index, also by a plan for any group', async () => {
  const { text } = namedStatement(reach, parseListQuery(event, queryOf({ group: 'few' })), 0)
  const plan = await w.server.context.db.transaction(async inner => {
    const simply = { prepare: false }
    await inner.query('SET LOCAL plan_cache_mode = force_generic_plan', [], simply)
    await inner.query(`PREPARE named AS ${text}`, [], simply)
    const asked = `EXECUTE named('${tenant.organization_id}', '${groups.few}')`
    const told = await inner.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${asked}`, [], simply)
    await inner.query('DEALLOCATE named', [], simply)
    return told.map(row => row['QUERY PLAN']).join('\n')
  })
  expect(plan).toMatch(/member_group_associations_filter_member_group_id[\s\S]*Index Cond: .*member_group_id/)
})
