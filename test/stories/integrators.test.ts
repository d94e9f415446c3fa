import type { Client } from '@gatehouse-access/sdk'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hotel } from './hotel.ts'

let w: World
let tenant: Tenant
let client: Client

beforeAll(async () => {
  w = await world()
  tenant = await w.tenant()
  client = tenant.client
})
afterAll(() => w[Symbol.asyncDispose]())

const call = (
  path: string,
  init: { method?: string; body?: unknown; headers?: Record<string, string>; token?: string } = {},
) =>
  fetch(`${w.url}/v2${path}`, {
    method: init.method ?? 'GET',
    headers: {
      authorization: `Bearer ${init.token ?? tenant.token}`,
      ...(init.body !== undefined && { 'content-type': 'application/json' }),
      ...init.headers,
    },
    ...(init.body !== undefined && { body: JSON.stringify(init.body) }),
  })

test('a grant is the whole sync flow in one call, and repeating it changes nothing', async () => {
  const { room, otherRoom } = await hotel(client)
  const body = {
    external_id: 'R-1',
    member: { name: 'Reservation R-1', ends_at: '2030-01-01T00:00:00Z' },
    member_group_ids: [room],
    credentials: { pin: {}, magic_link: true, emails: ['guest@example.com'], card: { uid: '01020304' } },
  }
  const first = await client.grants.create(body)
  expect(first).toMatchObject({
    external_id: 'R-1',
    group_associations: [{ member_group_id: room }],
    pins: [{ pin: expect.stringMatching(/^\d{6}$/) }],
    magic_links: [{ link: expect.stringContaining('/guest#mml_') }],
    emails: [{ email: 'guest@example.com' }],
    cards: [{ uid: '01020304' }],
  })
  expect(await client.grants.create(body)).toEqual(first)
  const moved = await client.grants.create({
    ...body,
    member: { ends_at: null },
    member_group_ids: [otherRoom],
    credentials: {},
  })
  expect(moved).toMatchObject({
    id: first.id,
    name: 'Reservation R-1',
    ends_at: null,
    group_associations: [{ member_group_id: otherRoom }],
  })
  await client.members.delete(first.id)
  expect(await client.grants.create(body)).toMatchObject({
    id: first.id,
    is_deleted: false,
    pins: first.pins,
  })
  expect((await client.members.list({ external_id: 'R-1' })).data).toHaveLength(1)
})

test('a grant with one wrong part does nothing at all', async () => {
  const before = (await client.members.list({ limit: 100 })).data.length
  const wrong = {
    member: { name: 'Nobody' },
    member_group_ids: ['mg_00000000000000000000'],
    credentials: { pin: {} },
  }
  await expect(client.grants.create(wrong)).rejects.toMatchObject({ args: { field: 'member_group_ids.0' } })
  await expect(
    client.grants.create({ ...wrong, member_group_ids: [], credentials: { pin: { pin: '1' } } }),
  ).rejects.toMatchObject({ args: { field: 'credentials.pin.pin' } })
  await expect(
    client.grants.create({
      member: { starts_at: '2030-01-02T00:00:00Z', ends_at: '2030-01-01T00:00:00Z' },
      member_group_ids: [],
    }),
  ).rejects.toMatchObject({ args: { field: 'member.ends_at' } })
  expect((await client.members.list({ limit: 100 })).data).toHaveLength(before)
})

test('two grants with one new external_id at once make one member', async () => {
  const body = { external_id: 'R-2', member: {}, member_group_ids: [], credentials: { pin: {} } }
  const made = await Promise.all(Array.from({ length: 8 }, () => client.grants.create(body)))
  expect(new Set(made.map(member => member.id)).size).toBe(1)
})

test('edits merge metadata, clear with null, and write no event when nothing changes', async () => {
  const member = await client.members.create({ name: 'A', metadata: { a: '1', b: '2' } })
  expect(await client.members.edit(member.id, { metadata: { b: null, c: '3' } })).toMatchObject({
    name: 'A',
    metadata: { a: '1', c: '3' },
  })
  expect(await client.members.edit(member.id, { name: null })).toMatchObject({ name: null })
  await client.members.edit(member.id, { name: null, metadata: { a: '1' } })
  expect((await client.events.list({ 'object.member_id': member.id })).data).toHaveLength(3)
  await expect(client.members.edit(member.id, { metadata: { big: 'x'.repeat(1020) } })).rejects.toMatchObject(
    { args: { field: 'metadata' } },
  )
})

test('If-Match guards against changes in between', async () => {
  const created = await call('/members', { method: 'POST', body: { name: 'A' } })
  const { id } = (await created.json()) as { id: string }
  const tag = created.headers.get('etag') ?? ''
  expect((await call(`/members/${id}`)).headers.get('etag')).toBe(tag)
  const edited = await call(`/members/${id}`, {
    method: 'PATCH',
    body: { name: 'B' },
    headers: { 'if-match': tag },
  })
  expect(edited.status).toBe(200)
  const late = await call(`/members/${id}`, {
    method: 'PATCH',
    body: { name: 'C' },
    headers: { 'if-match': tag },
  })
  expect([late.status, ((await late.json()) as { type: string }).type]).toEqual([412, 'precondition_failed'])
  expect((await call(`/members/${id}`, { method: 'DELETE', headers: { 'if-match': tag } })).status).toBe(412)
  expect(
    (
      await call(`/members/${id}`, {
        method: 'DELETE',
        headers: { 'if-match': edited.headers.get('etag') ?? '' },
      })
    ).status,
  ).toBe(200)
})

test('an Idempotency-Key makes a repeated POST answer the first object', async () => {
  const post = (body: object, key: string, path = '/members') =>
    call(path, { method: 'POST', body, headers: { 'idempotency-key': key } })
  const first = await post({ name: 'Once' }, 'key-1')
  const again = await post({ name: 'Once' }, 'key-1')
  expect(await again.text()).toBe(await first.text())
  expect([first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')]).toEqual([
    null,
    'true',
  ])
  expect((await post({ name: 'Other' }, 'key-1')).status).toBe(422)
  expect((await post({ name: 'x' }, 'x'.repeat(256))).status).toBe(400)
  expect((await post({ name: 1 }, 'key-2')).status).toBe(400)
  expect((await post({ name: 'After an error' }, 'key-2')).status).toBe(200)
  w.clock.advance(25 * 3600)
  tenant = { ...tenant, token: await tenant.tokenWith(['full_read_write']) }
  const fresh = await post({ name: 'Other day' }, 'key-1')
  expect([fresh.status, fresh.headers.get('idempotent-replayed')]).toEqual([200, null])
})

test('a read-only token reads, manages its own webhooks, and nothing else', async () => {
  const reader = tenant.clientWith(['full_read_only'])
  const writer = tenant.clientWith(['full_read_write'])
  const member = await writer.members.create({})
  const pin = await writer.member_pins.create(member.id, {})
  expect(await reader.members.get(member.id)).toEqual(member)
  const denied = { status: 403, type: 'permission_denied', args: { reason: 'scope_too_small' } }
  await expect(reader.members.create({})).rejects.toMatchObject(denied)
  await expect(reader.members.edit(member.id, { name: 'x' })).rejects.toMatchObject(denied)
  await expect(reader.members.delete(member.id)).rejects.toMatchObject(denied)
  await expect(reader.member_pins.reveal(member.id, pin.id)).rejects.toMatchObject(denied)
  const webhook = await reader.webhooks.create({
    url: 'https://example.com/hook',
    filter: [{ object_type: 'member', verb: null }],
  })
  expect(webhook.secret).toMatch(/^whsec_/)
  expect(await reader.webhooks.get(webhook.id)).not.toHaveProperty('secret')
  await reader.webhooks.edit(webhook.id, { is_enabled: false })
  await reader.webhooks.delete(webhook.id)
  await expect(reader.webhooks.edit(webhook.id, { is_deleted: false })).rejects.toMatchObject({ status: 400 })
})

test('webhook rules: exactly one spelling of the type, any filter of events, nothing else', async () => {
  const writer = tenant.clientWith(['full_read_write'])
  const make = (...filter: object[]) =>
    writer.webhooks.create({ url: 'https://example.com/hook', filter: filter as never })
  await expect(make({ verb: 'use' })).rejects.toMatchObject({ args: { field: 'filter.0' } })
  await expect(make({ object_type: 'member', 'object.type': 'member' })).rejects.toMatchObject({
    args: { field: 'filter.0' },
  })
  await expect(make({ object_type: 'member', nope: 'x' })).rejects.toMatchObject({
    args: { field: 'filter.0.nope' },
  })
  await expect(make({ object_type: 'member', verb: 'jump' })).rejects.toMatchObject({
    args: { field: 'filter.0.verb' },
  })
  const rule = { 'object.type': 'gadget_action', verb: 'use', 'created_at:gt': '2026-01-01T00:00:00.000000Z' }
  expect((await make(rule)).filter).toEqual([rule])
  await expect(writer.webhooks.create({ url: 'ftp://example.com', filter: [] })).rejects.toMatchObject({
    args: { field: 'url' },
  })
  await expect(
    writer.webhooks.create({ url: 'https://example.com', expand: ['nope'] }),
  ).rejects.toMatchObject({ message: "Invalid expand 'nope' for object 'event'" })
})

test('tokens: none, unknown, expired and legacy keys are told apart from each other only in words', async () => {
  const status = async (authorization?: string) => {
    const answer = await fetch(`${w.url}/v2/organization`, {
      headers: authorization ? { authorization } : {},
    })
    return [
      answer.status,
      answer.headers.get('www-authenticate'),
      ((await answer.json()) as { message: string }).message,
    ]
  }
  expect(await status()).toEqual([401, 'Bearer', expect.stringContaining('Authorization')])
  expect(await status('Bearer gha_nope')).toEqual([401, 'Bearer', expect.stringContaining('unknown')])
  expect(await status('Bearer ak_old')).toEqual([401, 'Bearer', expect.stringContaining('10 November 2026')])
  const token = await tenant.tokenWith(['full_read_write'])
  expect((await call('/organization', { token })).status).toBe(200)
  w.clock.advance(3600)
  expect((await call('/organization', { token })).status).toBe(401)
})

test('search: three characters match anywhere, fewer the beginning of a word, case aside', async () => {
  const writer = tenant.clientWith(['full_read_write'])
  for (const name of ['Álvaro Núñez', 'anna-maria 100%', 'Under_score'])
    await writer.schedules.create({ name, weekdays: Array.from({ length: 7 }, () => ({ ranges: [] })) })
  const find = async (q: string) => (await writer.schedules.list({ q })).data.map(row => row.name)
  expect(await find('LVARO')).toEqual(['Álvaro Núñez'])
  expect(await find('ÁL')).toEqual(['Álvaro Núñez'])
  expect(await find('ma')).toEqual(['anna-maria 100%'])
  expect(await find('na')).toEqual([])
  expect(await find('00%')).toEqual(['anna-maria 100%'])
  expect(await find('r_s')).toEqual(['Under_score'])
  expect(await find('n_u')).toEqual([])
})

test('rate limits are told in headers and enforced', async () => {
  await using small = await world({ rate_limit: 2 })
  const { token } = await small.tenant()
  const get = () => fetch(`${small.url}/v2/organization`, { headers: { authorization: `Bearer ${token}` } })
  const answers = await Promise.all(Array.from({ length: 12 }, get))
  expect(answers[0]?.headers.get('ratelimit-limit')).toBe('2')
  const limited = answers.find(answer => answer.status === 429)
  expect(limited?.headers.get('retry-after')).toBe('1')
  expect(await limited?.json()).toMatchObject({ type: 'rate_limited' })
})

test('unknown paths, methods and preflights', async () => {
  expect((await call('/nothing')).status).toBe(404)
  const wrong = await call('/members', { method: 'PUT', body: {} })
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS'])
  const document = await call('/openapi.json', { method: 'POST', body: {} })
  expect([document.status, document.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  const preflight = await fetch(`${w.url}/v2/members`, { method: 'OPTIONS' })
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
})

test('too many expanded objects are refused by the name of the expand', async () => {
  const writer = tenant.clientWith(['full_read_write'])
  const group = await writer.member_groups.create({ name: 'Crowd', permissions: [] })
  const member = await writer.members.create({})
  for (let count = 0; count < 25; count++)
    await writer.member_group_associations.create(member.id, { member_group_id: group.id })
  const deep = 'group_associations.member.group_associations.member.group_associations'
  await expect(writer.members.get(member.id, { expand: [deep] })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining(deep),
  })
  await expect(writer.members.get(member.id, { expand: ['group_associations.door'] })).rejects.toMatchObject({
    message: "Invalid expand 'group_associations.door' for object 'member'",
  })
})

test('every answer is counted by endpoint and status, refusals too', async () => {
  const counted = async (endpoint: string, status: number) => {
    const metrics = await (await fetch(`${w.url}/metrics`)).text()
    const line = `gatehouse_requests_total{endpoint="${endpoint}",status="${status}"} `
    return Number(
      metrics
        .split('\n')
        .find(text => text.startsWith(line))
        ?.slice(line.length) ?? 0,
    )
  }
  const before = [await counted('site.list', 200), await counted('site.list', 401)]
  await call('/sites', { token: (await w.tenant()).token })
  await call('/sites', { token: 'gha_wrong' })
  await call('/sites', { token: 'gha_wrong' })
  const after = [await counted('site.list', 200), await counted('site.list', 401)]
  expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual([1, 2])
})
