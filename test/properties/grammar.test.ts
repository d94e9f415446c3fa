import {
  type Condition,
  type Filter,
  type FilterRule,
  filtersOf,
  matches,
  objectTypes,
  parseListQuery,
  type Resource,
  resourceOf,
  resources,
  ruleConditions,
  verbs,
} from '@gatehouse-access/api'
import { type World, world } from '@gatehouse-access/testkit'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Ask, requester, succeed } from './ask.ts'
import { fillPath, kindOf } from './bad-requests.ts'
import { filterTexts } from './filter-texts.ts'
import { type Ids, plantOneOfEach } from './one-of-each.ts'
import { runs } from './seeds.ts'
import { allowRepeats, plantVariants } from './variants.ts'

const owned = new AsyncDisposableStack()
let w: World
let ask: Ask
let ids: Ids

beforeAll(async () => {
  w = owned.use(await world())
  const tenant = await w.tenant()
  ask = requester(w.url, tenant.token)
  ids = await plantOneOfEach(ask, tenant, w)
  await allowRepeats(w.server.context.db)
  for (const [, resource] of listed) await plantVariants(w.server.context.db, resource, ids)
})
afterAll(() => owned.disposeAsync())

const listed: [string, Resource][] = Object.values(resources as Record<string, Resource>)
  .filter(({ verbs: known, kind }) => known.includes('list') && kind !== 'product')
  .map(resource => [resource.plural, resource])

/** One grammar, two interpreters: a list returns exactly the objects that `matches` accepts. */
test.each(listed)('the filters of %s', async (_plural, resource) => {
  const objects = await list(resource, {})
  let found = 0
  await fc.assert(
    fc.asyncProperty(anyQuery(resource), async query => {
      const { conditions } = parseListQuery(resource, query)
      const expected = idsOf(matching(objects, conditions))
      expect(idsOf(await list(resource, query))).toEqual(expected)
      found += expected.length
    }),
    runs(resource.kind === 'event' ? 120 : 40),
  )
  expect(found).toBeGreaterThan(objects.length)
})

test('the rules of webhooks', async () => {
  const { event, webhook } = resources
  const objects = await list(event, {})
  await fc.assert(
    fc.asyncProperty(anyRule(), async given => {
      const [rule] = webhook.fields.filter.type.parse([given], 'filter') as [FilterRule]
      const conditions = ruleConditions(rule)
      const query = Object.fromEntries(conditions.map(({ filter, value }) => [filter.name, String(value)]))
      expect(idsOf(await list(event, query))).toEqual(idsOf(matching(objects, conditions)))
    }),
    runs(60),
  )
})

type Found = { id: string }

function matching(objects: readonly Found[], conditions: readonly Condition[]): Found[] {
  return objects.filter(object => matches(conditions, object))
}

function idsOf(objects: readonly Found[]): string[] {
  return objects.map(({ id }) => id).sort()
}

/** Returns every object of a list, across all pages. */
async function list(resource: Resource, query: Record<string, string>): Promise<Found[]> {
  const parent = resource.parent ? `${resourceOf(resource.parent).path}/{${resource.parent}_id}` : ''
  const base = parent + resource.path
  const path = fillPath(base, name => ids[kindOf(name)])
  const deleted = 'is_deleted' in resource.fields ? { is_deleted: 'any' } : {}
  const found: Found[] = []
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const all = new URLSearchParams({ ...query, ...deleted, limit: '100', ...(cursor && { cursor }) })
    const page: { data: Found[]; cursor_next?: string } = await succeed(ask, {
      method: 'GET',
      path: `${path}?${all}`,
    })
    found.push(...page.data)
    cursor = page.cursor_next
  }
  return found
}

function anyQuery(resource: Resource): fc.Arbitrary<Record<string, string>> {
  const filters = [...filtersOf(resource).values()].filter(({ through, computed }) => !through && !computed)
  const entries = filters.map(filter => filterEntry(filter))
  const metadata = fc.tuple(
    fc.constantFrom('metadata.a', 'metadata.b.c', 'metadata.__proto__'),
    fc.constantFrom('x', 'y', ''),
  )
  return fc
    .array(fc.oneof(...entries, ...(resource.fields.metadata ? [metadata] : [])), {
      minLength: 1,
      maxLength: 2,
    })
    .map(pairs => Object.fromEntries(pairs))
}

function filterEntry(filter: Filter): fc.Arbitrary<[string, string]> {
  const text = fc.constantFrom(...filterTexts(filter), ...(filter.or_none ? ['null'] : []))
  const several = fc.array(text, { maxLength: 3 }).map(texts => [...new Set(texts)].join(','))
  return fc.tuple(fc.constant(filter.name), filter.operator === 'has_all' ? several : text)
}

/** Both spellings of the type, the verb, null for any verb, and every other event filter. */
function anyRule(): fc.Arbitrary<FilterRule> {
  const type = fc.tuple(fc.constantFrom('object_type', 'object.type'), fc.constantFrom(...objectTypes))
  const verb = fc.tuple(fc.constant('verb'), fc.constantFrom(...verbs, null))
  const others = [...filtersOf(resources.event).values()].filter(
    ({ name, through }) => name !== 'object.type' && !through,
  )
  const rest = fc.array(fc.oneof(verb, ...others.map(filterEntry)), { maxLength: 2 })
  return fc.tuple(type, rest).map(([first, more]) => Object.fromEntries([...more.map(asInRule), first]))
}

/** What the text of a query says with `null`, a rule says with null. */
function asInRule([name, value]: [string, string | null]): [string, string | null] {
  return [name, name === 'object.job_id' && value === 'null' ? null : value]
}
