import {
  type Endpoint,
  type Expand,
  endpoints,
  filtersOf,
  type Kind,
  type Resource,
  resourceOf,
} from '@gatehouse/api'
import { createApplication } from '@gatehouse/server'
import { type Tenant, type World, world } from '@gatehouse/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Ask, asker, succeed } from './ask.ts'
import { fillPath, kindOf, rightQuestion } from './bad-requests.ts'
import { placesIn, withValue } from './field-paths.ts'
import { type Ids, neverId, plantOneOfEach } from './one-of-each.ts'
import { filterValues, referencePaths } from './references.ts'
import { expectSameAnswer } from './same-answer.ts'
import { digestTables } from './state.ts'
import { type Body, validBodies } from './valid-bodies.ts'

const owned = new AsyncDisposableStack()
let w: World
/** Organization A has everything; organization B asks for it. */
let theirs: { tenant: Tenant; ids: Ids; ask: Ask }
let ours: { tenant: Tenant; ids: Ids; ask: Ask }

beforeAll(async () => {
  w = owned.use(await world())
  theirs = await settle('Organization A')
  ours = await settle('Organization B')
  await plantUnique()
})
afterAll(() => owned.disposeAsync())

async function settle(name: string) {
  const tenant = await w.tenant(name)
  const ask = asker(w.url, tenant.token)
  return { tenant, ask, ids: await plantOneOfEach(ask, tenant) }
}

/** What organization A can be found by, and a card of the stock that it has adopted. */
async function plantUnique(): Promise<void> {
  const { ask, ids, tenant } = theirs
  const bodies = {
    '/cards': { uid: '04AAAAAA', printed_code: 'ONLY-A', name: 'only-a' },
    '/devices': { name: 'only-a', site_id: ids.site, product_id: 'gateway', hardware_id: 'hw_ONLY-A' },
    '/grants': {
      external_id: 'only-a',
      member: { name: 'only-a', metadata: { only: 'only-a' } },
      member_group_ids: [],
      credentials: { emails: ['only-a@example.com'] },
    },
  }
  for (const [path, body] of Object.entries(bodies)) await succeed(ask, { method: 'POST', path, body })
  await w.server.context.db.query(
    'INSERT INTO card_stock (id, organization_id, created_at) VALUES ($1, $2, $3)',
    [ids.card, tenant.organization_id, w.clock.now()],
  )
}

function bodyOf(endpoint: Endpoint): Body | undefined {
  return validBodies(ours.ids)[endpoint.id]?.[0]
}

const pathEndpoints = endpoints.filter(({ params }) => params.some(({ kind }) => kind !== 'product'))
const bodyEndpoints = endpoints.filter(endpoint => referencePaths(endpoint).length > 0)
const listEndpoints = endpoints.filter(({ verb }) => verb === 'list')

async function unchanged(work: () => Promise<void>): Promise<void> {
  const before = await digestTables(w.server.context.db)
  await work()
  expect(await digestTables(w.server.context.db)).toEqual(before)
}

test('every endpoint is asked about in its path, its body or its filters', () => {
  const asked = new Set([...pathEndpoints, ...bodyEndpoints, ...listEndpoints].map(({ id }) => id))
  const others = endpoints.map(({ id }) => id).filter(id => !asked.has(id))
  // These name nothing that belongs to an organization.
  expect(others).toEqual([
    'organization.get',
    'organization.edit',
    'product.get',
    'schedule.create',
    'tag.create',
    'webhook.create',
  ])
})

describe('paths', () => {
  test.each(pathEndpoints.map(endpoint => [endpoint.id, endpoint] as const))('%s', async (_id, endpoint) => {
    await unchanged(async () => {
      for (const { name, kind } of endpoint.params) await askPath(endpoint, [name], kind as Kind)
      if (endpoint.params.length > 1)
        await askPath(
          endpoint,
          endpoint.params.map(({ name }) => name),
          endpoint.params.at(-1)?.kind as Kind,
        )
    })
  })
})

/** The named parameters are organization A's, or never were; the others are our own. */
async function askPath({ method, path, ...endpoint }: Endpoint, names: string[], kind: Kind): Promise<void> {
  const body = bodyOf(endpoint as Endpoint)
  const rest = (name: string) => (names.includes(name) ? theirs : ours).ids[kindOf(name)]
  const { status } = await expectSameAnswer(
    ours.ask,
    id => ({
      method,
      path: fillPath(path, name => (kindOf(name) === kind ? id : rest(name))),
      ...(body && { body }),
    }),
    theirs.ids[kind],
    neverId(kind),
  )
  expect(status).toBe(404)
}

describe('bodies', () => {
  test.each(bodyEndpoints.map(endpoint => [endpoint.id, endpoint] as const))('%s', async (_id, endpoint) => {
    await unchanged(async () => {
      for (const { path, kind } of referencePaths(endpoint)) await askBody(endpoint, path, kind)
    })
  })
})

async function askBody(endpoint: Endpoint, path: readonly string[], kind: Kind): Promise<void> {
  const bodies = (validBodies(ours.ids)[endpoint.id] ?? []).filter(body => placesIn(body, path).length > 0)
  expect(bodies.length, `${endpoint.id} is never asked with ${path.join('.')}`).toBeGreaterThan(0)
  for (const body of bodies) {
    const [place] = placesIn(body, path) as [string[]]
    const right = rightQuestion(endpoint, ours.ids, body)
    const { status, text } = await expectSameAnswer(
      ours.ask,
      id => ({ ...right, body: withValue(body, place, id) }),
      theirs.ids[kind],
      neverId(kind),
    )
    expect([status, JSON.parse(text).args.field], text).toEqual([400, place.join('.')])
  }
}

describe('filters', () => {
  test.each(listEndpoints.map(endpoint => [endpoint.id, endpoint] as const))('%s', async (_id, endpoint) => {
    const { resource } = endpoint
    for (const filter of filtersOf(resource).values()) {
      const values = filterValues(filter, kind => [theirs.ids[kind], neverId(kind)])
      if (values) await askFilter(endpoint, filter.name, values)
    }
    if (resource.fields.metadata) await askFilter(endpoint, 'metadata.only', ['only-a', 'only-b'])
    if (resource.search) await askFilter(endpoint, 'q', ['only-a', 'only-b'])
  })
})

async function askFilter(
  endpoint: Endpoint,
  name: string,
  [mine, never]: readonly [string, string],
): Promise<void> {
  const { path } = rightQuestion(endpoint, ours.ids, undefined)
  const { text } = await expectSameAnswer(
    ours.ask,
    value => ({
      method: 'GET',
      path: `${path}?is_deleted=any&${name}=${value}`.replace(notDeletable(endpoint), ''),
    }),
    mine,
    never,
  )
  expect(JSON.parse(text)).toEqual({ data: [], has_next: false })
}

function notDeletable({ resource }: Endpoint): string {
  return 'is_deleted' in resource.fields ? '' : 'is_deleted=any&'
}

/** What organizations share, and those who act in them: these are no organization's own. */
const shared = ['product', 'user', 'oauth_application']

describe('expands of references that should not be there', () => {
  const gets = endpoints.filter(({ verb }) => verb === 'get')
  test.each(gets.map(endpoint => [endpoint.id, endpoint] as const))('%s', async (_id, endpoint) => {
    for (const [name, expand] of Object.entries(endpoint.resource.expands))
      if (!shared.includes(expand.kind) && !isKey(endpoint.resource, expand))
        await askExpand(endpoint, name, expand)
  })
})

/** The organization and the parent of an object are how it is found: with another one it is not there at all. */
function isKey({ parent }: Resource, { field, how }: Expand): boolean {
  return how === 'one' && (field === 'organization_id' || field === `${parent}_id`)
}

async function askExpand(endpoint: Endpoint, name: string, expand: Expand): Promise<void> {
  const { method, path } = rightQuestion(endpoint, ours.ids, undefined)
  const kind = expand.kind as Kind
  const asked = async (id: string) => {
    await force(endpoint.resource, expand, id)
    const { status, text } = await ours.ask({ method, path: `${path}?expand=${name}` })
    expect(status, text).toBe(200)
    return text.replaceAll(theirs.ids[kind], '<id>').replaceAll(neverId(kind), '<id>')
  }
  const never = await asked(neverId(kind))
  expect(await asked(theirs.ids[kind]), `${endpoint.id} ${name}`).toBe(never)
  expect(never).not.toContain(expand.how === 'one' ? `"${name.split('.').at(-1)}":{` : `"${name}":[{`)
}

/** Writes past every check: our object names theirs, or theirs names ours. */
async function force(resource: Resource, expand: Expand, id: string): Promise<void> {
  const [table, own] = [resource.table, ours.ids[resource.kind as Kind]]
  const { field, inside } = expand
  const [column, key] = field.split('.') as [string, string?]
  await w.server.context.db.transaction(async db => {
    await db.query('SET LOCAL session_replication_role = replica')
    if (expand.how === 'many') {
      await db.query(`UPDATE ${resourceOf(expand.kind).table} SET ${field} = $1 WHERE id = $2`, [own, id])
      await db.query(
        `UPDATE ${resourceOf(expand.kind).table} SET is_deleted = true WHERE ${field} = $1 AND id <> $2 AND organization_id = $3`,
        [own, id, ours.ids.organization],
      )
    } else if (inside)
      await db.query(`UPDATE ${table} SET ${inside} = $1 WHERE id = $2`, [[{ [field]: id }], own])
    else if (key)
      await db.query(`UPDATE ${table} SET ${column} = ${column} || $1 WHERE id = $2`, [{ [key]: id }, own])
    else
      await db.query(`UPDATE ${table} SET ${column} = $1 WHERE id = $2`, [
        expand.how === 'all' ? [id] : id,
        own,
      ])
  })
}

test('an Idempotency-Key of one organization replays nothing to another', async () => {
  const question = {
    method: 'POST',
    path: '/tags',
    body: { name: 'x' },
    headers: { 'idempotency-key': 'same' },
  }
  const first = await theirs.ask(question)
  const second = await ours.ask(question)
  expect(second.headers.has('idempotent-replayed')).toBe(false)
  expect(JSON.parse(second.text).id).not.toBe(JSON.parse(first.text).id)
})

describe('webhooks of another application of the same organization', () => {
  const own = endpoints.filter(({ resource }) => resource.owned_by_application)
  test.each([['full_read_write'], ['full_read_only']])('with %s', async scope => {
    const { tenant, ids } = theirs
    const application = await createApplication(w.server.context, w.server.context.db, 'Another')
    const ask = asker(w.url, await tenant.tokenWith([scope], application))
    await unchanged(async () => {
      for (const endpoint of own.filter(({ params }) => params.length > 0)) {
        const body = validBodies(ids)[endpoint.id]?.[0]
        const { method, path } = endpoint
        const question = (id: string) => ({ method, path: fillPath(path, () => id), ...(body && { body }) })
        expect((await expectSameAnswer(ask, question, ids.webhook, neverId('webhook'))).status).toBe(404)
      }
    })
    expect(await succeed(ask, { method: 'GET', path: '/webhooks' })).toEqual({ data: [], has_next: false })
    await expectLeftOut(ask, ids.webhook)
  })
})

async function expectLeftOut(ask: Ask, webhook: string): Promise<void> {
  const path = `/events?object.webhook_id=${webhook}&expand=object_webhook`
  const { data } = await succeed<{ data: { object: Body }[] }>(ask, { method: 'GET', path })
  expect(data).toHaveLength(1)
  for (const event of data) {
    expect(event.object.webhook_id).toBe(webhook)
    expect(event).not.toHaveProperty('object_webhook')
  }
}
