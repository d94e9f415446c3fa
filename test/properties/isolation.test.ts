import { type Endpoint, endpoints, filtersOf, type Kind } from '@gatehouse-access/api'
import { createApplication } from '@gatehouse-access/server'
import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Ask, requester, succeed } from './ask.ts'
import { fillPath, kindOf, rightQuestion } from './bad-requests.ts'
import { placesIn, withValue } from './field-paths.ts'
import { neverId } from './one-of-each.ts'
import { filterValues, referencePaths } from './references.ts'
import { expectSameAnswer } from './same-answer.ts'
import { digestTables } from './state.ts'
import { type Settled, settleTwo } from './two-organizations.ts'
import { type Body, validBodies } from './valid-bodies.ts'

const owned = new AsyncDisposableStack()
let w: World
let theirs: Settled
let ours: Settled

beforeAll(async () => {
  w = owned.use(await world())
  ;({ theirs, ours } = await settleTwo(w))
})
afterAll(() => owned.disposeAsync())

function bodyOf(endpoint: Endpoint): Body | undefined {
  return validBodies(ours.ids)[endpoint.id]?.[0]
}

const pathEndpoints = endpoints.filter(({ params }) => params.some(({ kind }) => kind !== 'product'))
const bodyEndpoints = endpoints.filter(endpoint => referencePaths(endpoint).length > 0)
const listEndpoints = endpoints.filter(({ verb }) => verb === 'list')

/** The state after the last questions, with which the next ones start. A digest takes longer than they do. */
let last: Record<string, string> | undefined

async function unchanged(work: () => Promise<void>): Promise<void> {
  const before = last ?? (await digestTables(w.server.context.db))
  last = undefined
  await work()
  last = await digestTables(w.server.context.db)
  expect(last).toEqual(before)
}

test('every endpoint is asked about in its path, its body or its filters', () => {
  const asked = new Set([...pathEndpoints, ...bodyEndpoints, ...listEndpoints].map(({ id }) => id))
  const others = endpoints.map(({ id }) => id).filter(id => !asked.has(id))
  // These refer to nothing that belongs to an organization, reports only in their query: see stories/reports.
  expect(others).toEqual([
    'organization.get',
    'organization.edit',
    'organization.privacy_record',
    'organization.privacy_preview',
    'organization.activity',
    'organization.unused',
    'product.get',
    'schedule.create',
    'calendar.create',
    'notification_target.create',
    'tag.create',
    'event.issue_stream_ticket',
    'webhook.create',
    'export.create',
    'bulk.create',
  ])
})

test('operations of a bulk reach no further than requests', async () => {
  await unchanged(async () => {
    const operations = pathEndpoints
      .filter(({ bulk }) => bulk !== 'never')
      .map(({ method, path, ...endpoint }) => {
        const body = bodyOf(endpoint as Endpoint)
        return { method, path: fillPath(path, name => theirs.ids[kindOf(name)]), ...(body && { body }) }
      })
    for (let at = 0; at < operations.length; at += 100) {
      const part = operations.slice(at, at + 100)
      const body = { operations: part }
      const { results } = await succeed<Bulk>(ours.ask, { method: 'POST', path: '/bulk', body })
      expect(results.map(({ status }, index) => [part[index]?.path, status])).toEqual(
        part.map(({ path }) => [path, 404]),
      )
    }
  })
})

interface Bulk {
  readonly results: readonly { readonly status: number }[]
}

describe('paths', () => {
  test.each(pathEndpoints.map(endpoint => [endpoint.id, endpoint] as const))('%s', async (_id, endpoint) => {
    await unchanged(async () => {
      const params = endpoint.params.filter(({ kind }) => kind !== 'action')
      for (const { name, kind } of params) await askPath(endpoint, [name], kind as Kind)
      if (params.length > 1)
        await askPath(
          endpoint,
          params.map(({ name }) => name),
          params.at(-1)?.kind as Kind,
        )
    })
  })
})

/** The named parameters are organization A's or do not exist. The others are our own. */
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
    const ask = requester(w.url, await tenant.tokenWith([scope], application))
    last = undefined
    await unchanged(async () => {
      for (const endpoint of own.filter(({ params }) => params.length > 0)) {
        const body = validBodies(ids)[endpoint.id]?.[0]
        const { method, path } = endpoint
        const question = (id: string) => ({
          method,
          path: fillPath(path, name => (name === 'webhook_id' ? id : ids.webhook_delivery)),
          ...(body && { body }),
        })
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
  expect(data.length).toBeGreaterThan(0)
  for (const event of data) {
    expect(event.object.webhook_id).toBe(webhook)
    expect(event).not.toHaveProperty('object_webhook')
  }
}
