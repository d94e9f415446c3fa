import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Ask, requester, succeed } from './ask.ts'
import { type Ids, plantOneOfEach } from './one-of-each.ts'

const owned = new AsyncDisposableStack()
let w: World
let ask: Ask
let ids: Ids

beforeAll(async () => {
  w = owned.use(await world())
  const tenant = await w.tenant()
  ask = requester(w.url, tenant.token)
  ids = await plantOneOfEach(ask, tenant, w)
})
afterAll(() => owned.disposeAsync())

const doors = (count: number) => '🚪'.repeat(count)
const ranges = Array.from({ length: 100 }, (_, index) => ({ start: index * 864, end: index * 864 + 864 }))
const entries = Array.from({ length: 64 }, (_, index) => ({
  id: `${index}`.padStart(64, 'x'),
  name: doors(255),
}))
const first = '0001-01-01T00:00:00.000000Z'
const last = '9999-12-31T23:59:59.999999Z'

/** The largest allowed values are stored, indexed, found, sorted by and returned unchanged. */
const largest: [string, string, () => Record<string, unknown>][] = [
  [
    'member',
    '/members',
    () => ({ name: doors(255), starts_at: first, ends_at: last, metadata: { source: doors(254) } }),
  ],
  ['tag', '/tags', () => ({ name: doors(64), metadata: { sourceID: doors(254) } })],
  ['schedule', '/schedules', () => ({ name: doors(255), weekdays: Array(7).fill({ ranges }) })],
  ['card', '/cards', () => ({ name: doors(255), uid: '0'.repeat(20), printed_code: doors(255) })],
  [
    'member group',
    '/member_groups',
    () => ({
      name: doors(255),
      permissions: Array(500).fill({ gadget_id: ids.gadget, action_id: 'open', schedule_id: ids.schedule }),
    }),
  ],
  [
    'site',
    '/sites',
    () => ({
      name: doors(255),
      timezone: 'UTC',
      info: doors(4000),
      phone: doors(32),
      email: `${doors(250)}@a.b`,
      map: { place_id: doors(255), address: doors(1000), image_url: `https://a/${'x'.repeat(2038)}` },
    }),
  ],
  [
    'device',
    '/devices',
    () => ({
      name: doors(255),
      site_id: ids.site,
      product_id: 'controller',
      hardware_id: `hw_${'Z'.repeat(64)}`,
    }),
  ],
  [
    'gadget',
    '/gadgets',
    () => ({ name: doors(255), device_id: ids.device, actions: entries, states: entries, signals: entries }),
  ],
  ['email', `/members/{member}/emails`, () => ({ email: `${doors(250)}@a.b` })],
  [
    'webhook',
    '/webhooks',
    () => ({
      url: `https://a/${'x'.repeat(2038)}`,
      filter: Array(100).fill({ object_type: 'member', 'created_at:gt': last }),
    }),
  ],
]

describe('the largest that is allowed', () => {
  test.each(largest)('%s', async (_name, path, body) => {
    const place = path.replace('{member}', ids.member)
    const made = await succeed(ask, { method: 'POST', path: place, body: body() })
    expect(made).toMatchObject(body())
    const { secret: _secret, ...object } = made
    expect(await succeed(ask, { method: 'GET', path: `${place}/${made.id}` })).toEqual(object)
    for (const sort of ['asc', 'desc'])
      for (const field of Object.keys(body()).filter(name =>
        ['name', 'starts_at', 'ends_at', 'email', 'uid', 'printed_code', 'hardware_id'].includes(name),
      ))
        if (!(field === 'email' && path === '/sites'))
          expect(await pageThrough(place, `${field}:${sort}`)).toContain(made.id)
  })
})

/** Returns every id of a list, with one object per page, so that every position occurs in a cursor. */
async function pageThrough(path: string, sort: string): Promise<string[]> {
  const found: string[] = []
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const next: string = cursor && `&cursor=${cursor}`
    const page: { data: { id: string }[]; cursor_next?: string } = await succeed(ask, {
      method: 'GET',
      path: `${path}?limit=1&sort=${sort}${next}`,
    })
    found.push(...page.data.map(({ id }) => id))
    cursor = page.cursor_next
  }
  expect(new Set(found).size).toBe(found.length)
  return found
}

test('an end on the last day there is can be set, cleared and set again', async () => {
  const { id } = await succeed(ask, { method: 'POST', path: '/members', body: { ends_at: last } })
  for (const ends_at of ['9999-12-31T00:00:00.000000Z', '9999-12-30T23:59:59.999999Z', null, last]) {
    const edited = await succeed(ask, { method: 'PATCH', path: `/members/${id}`, body: { ends_at } })
    expect(edited.ends_at).toBe(ends_at)
  }
})
