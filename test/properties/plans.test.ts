import { parseListQuery, type Query, type ResourceKind, resourceOf } from '@gatehouse-access/api'
import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runsStatement } from '../../packages/server/src/alarms/following/frequent-denials.ts'
import { verifyStatement } from '../../packages/server/src/audit/verify/chain.ts'
import { heldBackStatement, readStatement } from '../../packages/server/src/events/feed.ts'
import type { Position } from '../../packages/server/src/events/position.ts'
import { historyStatement } from '../../packages/server/src/services/objects/history.ts'
import { listStatement } from '../../packages/server/src/store/list.ts'
import { neverId } from './one-of-each.ts'

const owned = new AsyncDisposableStack()
const organization_id = neverId('organization')
const parent = { field: 'member_id', id: neverId('member') }
let w: World

beforeAll(async () => {
  w = owned.use(await world())
  // Runs on one connection, because one of the statements is a session setting.
  await w.server.context.db.transaction(async inner => {
    for (const statement of rows) await inner.query(statement, [], { prepare: false })
  })
})
afterAll(() => owned.disposeAsync())

/** Enough rows, in two organizations, that a sequential scan is no longer the best plan. */
const shared = `CASE WHEN n % 2 = 0 THEN '${organization_id}' ELSE '${neverId('organization', 1)}' END`
const moment = `'2026-11-01'::timestamptz + n * interval '1 second'`
const rows = [
  `INSERT INTO members SELECT 'mem_' || lpad(n::text, 20, '0'), ${shared}, 'Guest ' || n, 'R-' || n, ${moment}, ${moment} + interval '1 day', NULL,
   CASE WHEN n % 500 = 0 THEN ARRAY['${neverId('tag')}'] ELSE '{}' END, n % 7 = 0, ${moment}, jsonb_build_object('source', 'pms', 'sourceID', n::text), 'guest ' || n FROM generate_series(1, 20000) n`,
  `SET LOCAL session_replication_role = replica`,
  `INSERT INTO member_emails SELECT 'me_' || lpad(n::text, 20, '0'), ${shared}, CASE WHEN n % 500 = 0 THEN '${parent.id}' ELSE 'mem_' || lpad(n::text, 20, '0') END,
   'guest' || n || '@example.com', 'guest' || n || '@example.com', false, ${moment}, '{}', 'guest' || n FROM generate_series(1, 8000) n`,
  `INSERT INTO member_group_associations SELECT 'mga_' || lpad(n::text, 20, '0'), ${shared}, 'mem_' || lpad(n::text, 20, '0'),
   CASE WHEN n % 1000 = 0 THEN '${neverId('member_group')}' ELSE '${neverId('member_group', 1)}' END, NULL, NULL, false, ${moment}, '{}' FROM generate_series(1, 8000) n`,
  `INSERT INTO cards (id, organization_id, name, uid, is_deleted, created_at, metadata, search_text) SELECT 'card_' || lpad(n::text, 20, '0'), ${shared}, 'Card ' || n,
   lpad(to_hex(n), 14, '0'), false, ${moment}, '{}', 'card ' || n
   FROM generate_series(1, 8000) n`,
  `INSERT INTO member_cards (id, organization_id, member_id, card_id, is_deleted, created_at, metadata, is_claimed) SELECT 'mc_' || lpad(n::text, 20, '0'), ${shared}, 'mem_' || lpad(n::text, 20, '0'),
   'card_' || lpad(n::text, 20, '0'), false, ${moment}, '{}', true FROM generate_series(1, 8000) n`,
  `SET LOCAL session_replication_role = DEFAULT`,
  `INSERT INTO events (id, organization_id, subject, verb, object, created_at, recorded_at, clock_adjusted)
   SELECT 'evt_' || lpad(n::text, 20, '0'), ${shared}, jsonb_build_object('member_id', 'mem_' || n % 1000), CASE WHEN n % 900 = 0 THEN 'reveal' ELSE 'use' END,
   jsonb_build_object('type', 'gadget_action', 'gadget_id', 'gad_' || n % 1000), ${moment}, ${moment}, false FROM generate_series(1, 16000) n`,
  `ANALYZE`,
]

/** Events of which the planner knows nothing, as after an import. */
const unknown = `INSERT INTO events (id, organization_id, subject, verb, object, created_at, recorded_at, clock_adjusted)
  SELECT 'evt_' || lpad(n::text, 21, '0'), '${organization_id}', '{}', 'use', '{"type": "gadget_action"}', now, now, false
  FROM generate_series(1, 8000) n, (SELECT ${moment.replace('n *', '60 * 86400 *')} AS now)`

const after = '2026-11-01T01:00:00.000000Z'

test.each<[ResourceKind, Query, string]>([
  ['member', {}, 'members_sort_created_at'],
  ['member', { is_deleted: 'any' }, 'members_sort_created_at'],
  ['member', { sort: 'name:asc' }, 'members_sort_name'],
  ['member', { sort: 'ends_at:desc' }, 'members_sort_ends_at'],
  ['member', { sort: 'metadata.sourceID:desc' }, 'members_sort_metadata_sourceid'],
  ['member', { external_id: 'R-4' }, 'members_filter_external_id'],
  ['member', { tag_ids: neverId('tag') }, 'members_filter_tag_ids'],
  ['member', { 'metadata.sourceID': '4' }, 'members_filter_metadata'],
  ['member', { 'starts_at:lt': '2026-11-01T00:01:00Z' }, 'members_sort_starts_at'],
  ['member', { q: 'guest 1234' }, 'members_search'],
  ['member', { email: 'guest4@example.com' }, 'member_emails_email_key'],
  [
    'member',
    { member_group_id: neverId('member_group') },
    'member_group_associations_filter_member_group_id',
  ],
  ['member', { member_group_id: neverId('member_group', 1) }, 'members_sort_created_at'],
  ['member_email', {}, 'member_emails_filter_member_id'],
  ['card', { member_group_id: neverId('member_group') }, 'member_group_associations_filter_member_group_id'],
  ['card', { member_group_id: neverId('member_group', 1) }, 'cards_sort_created_at'],
  ['card', { tag_id: neverId('tag') }, 'members_filter_tag_ids'],
  ['event', {}, 'created_at_id_idx'],
  ['event', { sort: 'recorded_at:asc' }, 'recorded_at_id_idx'],
  ['event', { verb: 'reveal' }, 'verb_created_at_id_idx'],
  ['event', { 'object.gadget_id': neverId('gadget') }, 'expr_created_at_id_idx'],
  ['event', { 'subject.member_id': neverId('member') }, 'expr_created_at_id_idx'],
  ['event', { 'object.changed_field': 'name' }, 'Bitmap Index Scan'],
  ['event', { 'created_at:gt': after, sort: 'created_at:asc' }, 'created_at_id_idx'],
])('a list of %s by %o reads by its index', async (kind, query, index) => {
  const resource = resourceOf(kind)
  const reach = { organization_id, parent: resource.parent && parent }
  const { text, params } = listStatement(resource, reach, parseListQuery(resource, query))
  const plan = await w.server.context.db.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, params)
  const told = plan.map(row => row['QUERY PLAN']).join('\n')
  expect(told).toContain(index)
  // An empty partition costs nothing, so any scan of it is fine.
  expect(told).not.toMatch(/Seq Scan.*cost=0\.00\.\.(?!0\.00)/)
})

test.each<Query>([{}, { sort: 'recorded_at:asc' }, { verb: 'use' }])(
  'somebody of one site reads events by %o from the indexes of its gadgets, devices and site',
  async query => {
    const resource = resourceOf('event')
    const site_ids = [neverId('site')]
    const bounds = {
      site_ids,
      gadget_ids: new Set<string>(),
      tag_ids: new Set<string>(),
      schedule_ids: [],
      member_group_ids: [],
      confined_group_ids: new Set<string>(),
    }
    const { text, params } = listStatement(
      resource,
      { organization_id, bounds },
      parseListQuery(resource, query),
    )
    const plan = await w.server.context.db.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, params)
    const told = plan.map(row => row['QUERY PLAN']).join('\n')
    for (const place of ['gadget_id', 'device_id', 'site_id'])
      expect(told).toMatch(
        new RegExp(`Index Cond: \\(\\(organization_id = [^)]*\\) AND \\(\\(object ->> '${place}'::text\\) =`),
      )
    expect(told).not.toMatch(/Seq Scan on events.*cost=0\.00\.\.(?!0\.00)/)
  },
)

test.each(['member', 'gadget'] as const)('the history of a %s is read by its index', async kind => {
  const params = [organization_id, neverId(kind), 'infinity', '', 21]
  const plan = await w.server.context.db.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN ${historyStatement(resourceOf(kind))}`,
    params,
  )
  const told = plan.map(row => row['QUERY PLAN']).join('\n')
  // The index holds nothing of other types, so nothing is read and dropped.
  expect(told).toMatch(/Index Scan .*\n\s+Index Cond: .*\n\s+Filter: \(verb = ANY/)
})

test.each([undefined, organization_id])(
  'whether the feed is held back is read by an index, of %s',
  async of => {
    const { db } = w.server.context
    await db.query(unknown, [], { prepare: false })
    const params = [9, '1', '1', ...(of === undefined ? [] : [of])]
    const plan = await db.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${heldBackStatement(of)}`, params)
    await db.query('DELETE FROM events WHERE length(id) = 25')
    expect(plan.map(row => row['QUERY PLAN']).join('\n')).not.toContain('Seq Scan')
  },
)

interface PlanNode {
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly Plans?: readonly PlanNode[]
}

function mostRows({ Plans = [], ...node }: PlanNode): number {
  return Math.max(node['Actual Rows'] * node['Actual Loops'], ...Plans.map(mostRows))
}

const readers = {
  'everybody who follows the feed': [readStatement(undefined, 100), []],
  'whoever follows an organization': [readStatement(organization_id, 100), [organization_id]],
  'whoever verifies': [verifyStatement, [organization_id, 100]],
} as const

test.each(Object.entries(readers))(
  '%s reads a page of events without those behind it',
  async (_, [text, more]) => {
    const { db } = w.server.context
    const [place] = await db.query<Position>(
      'SELECT epoch, transaction_id::text AS transaction_id, sequence FROM events ORDER BY sequence LIMIT 1 OFFSET 4000',
    )
    const [row] = await db.query<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      [place?.epoch, place?.transaction_id, place?.sequence, ...more],
    )
    const [found] = row?.['QUERY PLAN'] ?? []
    expect(found && mostRows(found.Plan)).toBe(100)
  },
)

test.each([`e.object->>'gadget_id'`, `e.subject->>'member_id'`] as const)(
  'denials by %s are counted without reading the other events',
  async key => {
    const asked = [{ id: neverId('gadget'), count: 10, seconds: 300, first: after, last: after }]
    const plan = await w.server.context.db.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${runsStatement(key)}`, [
      organization_id,
      asked,
    ])
    const lines = plan.map(row => row['QUERY PLAN']).filter(line => / on events_.* e/.test(line))
    // An empty partition costs nothing, so any scan of it is fine.
    const scans = lines.filter(line => !line.includes('cost=0.00..0.00'))
    expect(scans.length).toBeGreaterThan(0)
    expect(scans.filter(line => !/expr_created_at_idx|denials_of/.test(line))).toEqual([])
  },
)

test('what could acknowledge alarms in the name of a user is found by an index', async () => {
  const told = await w.server.context.db.transaction(async inner => {
    await inner.query('SET LOCAL enable_seqscan = off')
    return inner.query<{ 'QUERY PLAN': string }>(`EXPLAIN DELETE FROM alarm_tokens WHERE user_id = 'usr_1'`)
  })
  expect(told.map(row => row['QUERY PLAN']).join('\n')).toContain('alarm_tokens_user_id')
})

test('no statement waits for parallel workers to begin', async () => {
  const rows = await w.server.context.db.query('SHOW max_parallel_workers_per_gather')
  expect(rows).toEqual([{ max_parallel_workers_per_gather: '0' }])
})
