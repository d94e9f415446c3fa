import { holdChanges, type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

let w: World
let tenant: Tenant

beforeAll(async () => {
  w = await world()
})
beforeEach(async () => {
  tenant = await w.tenant()
})
afterAll(() => w[Symbol.asyncDispose]())

interface Operation {
  readonly id?: string
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly if_match?: string
}

interface Answer {
  readonly results: { id: string | null; status: number; body: Body; headers: Record<string, string> }[]
  readonly type?: string
  readonly message: string
  readonly args: Record<string, string>
}
type Body = Record<string, unknown> & { id: string; args: Record<string, string> }

async function bulk(
  operations: readonly unknown[],
  { atomic, key, token = tenant.token }: { atomic?: boolean; key?: string; token?: string } = {},
) {
  const response = await fetch(`${w.url}/v2/bulk`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(key && { 'idempotency-key': key }),
    },
    body: JSON.stringify({ operations, ...(atomic !== undefined && { atomic }) }),
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer }
}

const create = (name: string | null, id?: string): Operation => ({
  ...(id && { id }),
  method: 'POST',
  path: '/members',
  body: { name },
})

const grant = { member: {}, member_group_ids: [], credentials: { emails: ['eve@example.com'] } }

const statuses = ({ body }: { body: Answer }) => body.results.map(({ status }) => status)

/** Counts the events of any kind. */
async function countAll(): Promise<number> {
  const rows = await w.server.context.db.query('SELECT 1 FROM events WHERE organization_id = $1', [
    tenant.organization_id,
  ])
  return rows.length
}

async function counts() {
  const [row] = await w.server.context.db.query<{ members: number; events: number }>(
    `SELECT (SELECT count(*)::integer FROM members WHERE organization_id = $1) AS members,
       (SELECT count(*)::integer FROM events WHERE organization_id = $1 AND object->>'type' LIKE 'member%') AS events`,
    [tenant.organization_id],
  )
  return row
}

test('each operation succeeds or fails on its own, in order, and answers as its request would', async () => {
  const { status, body } = await bulk([
    create('Ada', 'ada'),
    create(''),
    { method: 'GET', path: '/members/$ada.id?expand=emails' },
    { method: 'POST', path: '/members/$ada.id/emails', body: { email: 'ada@example.com' }, id: 'mail' },
    { method: 'PATCH', path: '/members/$ada.id', body: { name: 'Eve' }, if_match: '"old"' },
    { method: 'DELETE', path: '/members/$ada.id/emails/$mail.id' },
    { method: 'GET', path: '/members?limit=5&name=x' },
    { method: 'GET', path: '/members?limit=5&sort=name:asc' },
  ])
  expect(status).toBe(200)
  const [made, bad, read, mail, stale, gone, unknown, page] = body.results
  expect(body.results.map(({ status }) => status)).toEqual([200, 400, 200, 200, 412, 200, 400, 200])
  expect(body.results.map(({ id }) => id)).toEqual(['ada', null, null, 'mail', null, null, null, null])
  expect(read?.body).toEqual({ ...made?.body, emails: [] })
  expect(made?.headers.etag).toBe(read?.headers.etag)
  expect(bad?.body).toMatchObject({ type: 'invalid_request', args: { field: 'name' } })
  expect(mail?.body.member_id).toBe(made?.body.id)
  expect(stale?.body.type).toBe('precondition_failed')
  expect(gone?.body.is_deleted).toBe(true)
  expect(unknown?.body.args.field).toBe('name')
  expect(page?.body.data).toMatchObject([{ name: 'Ada' }])
  expect(await counts()).toEqual({ members: 1, events: 3 })
})

test('atomic: 99 good and 1 bad leave nothing, not even an event; 100 good are one transaction', async () => {
  const good = Array.from({ length: 99 }, (_, at) => create(`Member ${at}`))
  const bad = [...good, create('', 'last')]
  const before = await countAll()
  const refused = await bulk(bad, { atomic: true })
  expect([refused.status, refused.body.type, refused.body.args.operation]).toEqual([
    400,
    'invalid_request',
    'last',
  ])
  expect(refused.body.args).toMatchObject({ field: 'name', status: '400', error: 'invalid_request' })
  expect((await bulk([create('a'), create('')], { atomic: true })).body.args.operation).toBe('1')
  expect(await counts()).toEqual({ members: 0, events: 0 })
  expect(await countAll()).toBe(before)
  const done = await bulk([...good, create('Last')], { atomic: true })
  expect(new Set(statuses(done))).toEqual(new Set([200]))
  expect(await counts()).toEqual({ members: 100, events: 100 })
  const rows = await w.server.context.db.query(
    `SELECT DISTINCT transaction_id FROM events WHERE organization_id = $1 AND object->>'type' = 'member'`,
    [tenant.organization_id],
  )
  expect(rows).toHaveLength(1)
})

test.each([false, true])('the same key gets the same answer, once done (atomic: %s)', async atomic => {
  const operations = [create('Ada', 'a'), { method: 'POST', path: '/members/$a.id/pins', body: {} }]
  const first = await bulk(operations, { atomic, key: 'one' })
  const again = await bulk(operations, { atomic, key: 'one' })
  expect(again.body).toEqual(first.body)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(statuses(first)).toEqual([200, 200])
  // Two creates, and the PIN that was shown again.
  expect(await counts()).toEqual({ members: 1, events: 3 })
  const other = await bulk([create('Eve')], { atomic, key: 'one' })
  expect([other.status, other.body.type]).toEqual([422, 'idempotency_conflict'])
})

test('a repeat continues behind the last transaction of a request that is gone, which then can do no more', async () => {
  const operations = [create('Ada', 'a'), { method: 'POST', path: '/grants', body: grant }, create('Eve')]
  const release = await holdChanges(w.server.context.db, 'member_emails')
  const first = bulk(operations, { key: 'killed' })
  await expect.poll(counts).toEqual({ members: 1, events: 1 })
  expect((await bulk(operations, { key: 'killed' })).body.type).toBe('idempotency_in_progress')
  w.clock.advance(31)
  const claims = () =>
    w.server.context.db.query('SELECT created_at FROM idempotency_keys WHERE key = $1', ['killed'])
  const claimed = await claims()
  const second = bulk(operations, { key: 'killed' })
  await expect.poll(claims).not.toEqual(claimed)
  await release()
  const done = await second
  expect([(await first).status, statuses(done)]).toEqual([409, [200, 200, 200]])
  expect(await counts()).toEqual({ members: 3, events: 4 })
  expect((await bulk(operations, { key: 'killed' })).body).toEqual(done.body)
})

const acrossKinds = [
  { id: 'site', method: 'POST', path: '/sites', body: { name: 'Hotel', timezone: 'Europe/Madrid' } },
  {
    id: 'group',
    method: 'POST',
    path: '/member_groups',
    body: { name: 'Guests', permissions: [{ site_id: '$site.id' }] },
  },
  create('$$site.id', 'ada'),
  {
    method: 'POST',
    path: '/members/$ada.id/group_associations',
    body: { member_group_id: '$group.id', metadata: { at: '$site.id' } },
  },
]

test.each([false, true])('references reach across kinds (atomic: %s)', async atomic => {
  const { body } = await bulk(acrossKinds, { atomic })
  const [site, group, ada, association] = body.results
  expect(body.results.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(group?.body.permissions).toMatchObject([{ site_id: site?.body.id }])
  expect(ada?.body.name).toBe('$site.id')
  expect(association?.body).toMatchObject({
    member_id: ada?.body.id,
    member_group_id: group?.body.id,
    metadata: { at: site?.body.id },
  })
})

test('a refused operation takes what depends on it along: alone, or all before it', async () => {
  const operations = [
    ...acrossKinds,
    create('', 'bad'),
    { method: 'POST', path: '/members/$bad.id/pins', body: {} },
  ]
  const before = await countAll()
  const refused = await bulk(operations, { atomic: true })
  expect([refused.status, refused.body.args.operation]).toEqual([400, 'bad'])
  expect(await countAll()).toBe(before)
  const done = await bulk(operations)
  expect(statuses(done)).toEqual([200, 200, 200, 200, 400, 400])
  const [bad, orphan] = done.body.results.slice(4)
  expect([bad?.body.args.field, orphan?.body.args.operation]).toEqual(['name', '5'])
})

test('what cannot be an operation is refused before anything is done', async () => {
  const id = '00000000000000000000'
  const refused: Record<string, object> = {
    'gadget.run_action': { method: 'POST', path: `/gadgets/gad_${id}/actions/open` },
    'execute as member': { method: 'POST', path: `/gadgets/gad_${id}/actions/open/execute_as_member` },
    'device.simulate': { method: 'POST', path: `/devices/dev_${id}/simulate`, body: { keys: '1#' } },
    'a reveal': { method: 'POST', path: `/members/mem_${id}/pins/mp_${id}/reveal` },
    'a stream': { method: 'GET', path: '/events/stream' },
    'a stream ticket': { method: 'POST', path: '/events/stream_tickets' },
    'an export': { method: 'GET', path: '/events/export' },
    'an export of members': { method: 'GET', path: '/members/export?format=csv' },
    'an export about a member': { method: 'POST', path: `/members/mem_${id}/data_export` },
    'a bulk': { method: 'POST', path: '/bulk', body: { operations: [create('x')] } },
    'an unknown path': { method: 'GET', path: '/nothing' },
    'another version': { method: 'GET', path: '/v2/members' },
    'another method': { method: 'DELETE', path: '/events' },
    'a body of a GET': { method: 'GET', path: '/members', body: {} },
    'a later result': { method: 'GET', path: '/members/$later.id' },
    'a taken id': create('x', 'a'),
    'broken escapes': { method: 'GET', path: '/members/%zz' },
    'an unknown field': { ...create('x'), headers: {} },
  }
  for (const [what, operation] of Object.entries(refused))
    for (const atomic of [false, true]) {
      const { status, body } = await bulk([create('Ada', 'a'), operation], { atomic })
      expect([what, status, body.type]).toEqual([what, 400, 'invalid_request'])
      expect(body.args.field).toMatch(/^operations\.1/)
    }
  const send = async (operations: unknown[]) => (await bulk(operations)).body.args?.field
  expect(await send([])).toBe('operations')
  expect(await send(Array.from({ length: 101 }, () => create('x')))).toBe('operations')
  expect(await counts()).toEqual({ members: 0, events: 0 })
})

test('a bulk has the rights of its token, operation by operation', async () => {
  const token = await tenant.tokenWith(['full_read_only'])
  const operations = [{ method: 'GET', path: '/members' }, create('Ada'), { method: 'GET', path: '/sites' }]
  const { body } = await bulk(operations, { token })
  expect(body.results.map(({ status }) => status)).toEqual([200, 403, 200])
  const atomic = await bulk(operations, { token, atomic: true })
  expect([atomic.status, atomic.body.args]).toMatchObject([400, { operation: '1', status: '403' }])
  expect((await bulk(operations, { token: 'gha_nobody' })).status).toBe(401)
  const other = await w.tenant('Another')
  const theirs = await other.client.members.create({})
  const foreign = await bulk([{ method: 'GET', path: `/members/${theirs.id}` }])
  expect(statuses(foreign)).toEqual([404])
})

test('an operation that fails among many leaves the others as they are', async () => {
  const group = await tenant.client.member_groups.create({ name: 'Guests' })
  const member = await tenant.client.members.create({})
  const emails = ['a@example.com', 'b@example.com', 'A@example.com', 'c@example.com']
  const before = (await counts())?.events ?? 0
  const { body } = await bulk([
    ...emails.map(email => ({ method: 'POST', path: `/members/${member.id}/emails`, body: { email } })),
    { method: 'POST', path: `/members/${member.id}/group_associations`, body: { member_group_id: group.id } },
  ])
  expect(body.results.map(({ status }) => status)).toEqual([200, 200, 400, 200, 200])
  expect((await counts())?.events).toBe(before + 4)
})

test('a bulk is no way to try PINs: each that an atomic one looks up counts until it succeeds', async () => {
  const { client } = tenant
  const member = await client.members.create({})
  const choose = (pin: number) => ({
    method: 'POST',
    path: `/members/${member.id}/pins`,
    body: { pin: String(pin) },
  })
  const chosen = [640917, 382615, 917403].map(choose)
  expect(statuses(await bulk(chosen, { atomic: true }))).toEqual([200, 200, 200])
  const lookups = () =>
    w.server.context.db.query('SELECT 1 FROM pin_lookups WHERE organization_id = $1', [
      tenant.organization_id,
    ])
  expect(await lookups()).toHaveLength(0)
  const asking = [584013, 273941, 840362].map(choose)
  expect((await bulk([...asking, create('')], { atomic: true })).status).toBe(400)
  expect(await lookups()).toHaveLength(3)
  expect(statuses(await bulk([...asking, ...chosen, create('')]))).toEqual([
    200, 200, 200, 400, 400, 400, 400,
  ])
  expect(await lookups()).toHaveLength(6)
})

test('every operation counts towards the rate limit, and a bulk may take more than is left', async () => {
  await using slow = await world({ rate_limit: 1 })
  const { token } = await slow.tenant()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const operations = Array.from({ length: 100 }, () => ({ method: 'GET', path: '/tags' }))
  const send = () =>
    fetch(`${slow.url}/v2/bulk`, { method: 'POST', headers, body: JSON.stringify({ operations }) })
  const first = await send()
  expect([first.status, first.headers.get('ratelimit-remaining')]).toEqual([200, '0'])
  const second = await send()
  expect(second.status).toBe(429)
  expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(50)
})

test('an atomic bulk that takes longer than a feed may lag is ended, and has changed nothing', async () => {
  await using hasty = await world({ turn_wait: 1 })
  const { token, client } = await hasty.tenant()
  const operations = Array.from({ length: 100 }, () => ({ method: 'POST', path: '/members', body: {} }))
  const response = await fetch(`${hasty.url}/v2/bulk`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ operations, atomic: true }),
  })
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
  expect((await client.members.list()).data).toEqual([])
})

test('no more is done once the results are large', async () => {
  const metadata = { note: 'x'.repeat(1000) }
  const many = Array.from({ length: 100 }, () => ({ method: 'POST', path: '/members', body: { metadata } }))
  await bulk(many)
  const pages = Array.from({ length: 20 }, () => ({ method: 'GET', path: '/members?limit=100' }))
  const results = statuses(await bulk(pages, { key: 'large' }))
  expect([results[0], results.at(-1)]).toEqual([200, 400])
  expect(new Set(statuses(await bulk(pages)))).toEqual(new Set([200]))
})
