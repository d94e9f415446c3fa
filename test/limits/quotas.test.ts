import { endpoints } from '@gatehouse-access/api'
import { isQuotaName } from '@gatehouse-access/server'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { password, signUp } from '../oauth/people.ts'
import { Visitor } from '../oauth/visitor.ts'
import { hotel } from '../stories/hotel.ts'

let w: World
let tenant: Tenant
const quotas = {
  site: 3,
  member: 4,
  'member.member_email': 2,
  invitation: 1,
  idempotency_key: 30,
  stream: 1,
  'user.oauth_application': 2,
  'user.organization': 2,
  'user.logo_bytes': 150_000,
  'user.user_session': 2,
}

beforeAll(async () => {
  w = await world({ is_reachable: true, quotas })
  tenant = await w.tenant()
})
afterAll(() => w[Symbol.asyncDispose]())

const site = { name: 'Hall', timezone: 'Europe/Lisbon' }
const refusal = (kind: string, quota: number) => ({
  status: 400,
  type: 'quota_exceeded',
  args: { kind, quota: String(quota) },
})

test('every kind of object that can be created has a quota', () => {
  const created = endpoints.filter(({ verb }) => verb === 'create').map(({ resource }) => resource.kind)
  expect(created.length).toBeGreaterThan(10)
  expect(created.filter(kind => !isQuotaName(kind))).toEqual([])
})

test('many at once get no further than the quota, and deleting one makes room for one', async () => {
  const { client } = tenant
  const tries = await Promise.allSettled(Array.from({ length: 40 }, () => client.sites.create(site)))
  const made = tries.flatMap(outcome => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  // Only concurrent requests can exceed the quota: at most as many as the pool has connections.
  expect(made.length).toBeGreaterThanOrEqual(quotas.site)
  expect(made.length).toBeLessThan(quotas.site + 10)
  for (const { id } of made.slice(quotas.site)) await client.sites.delete(id)
  await expect(client.sites.create(site)).rejects.toMatchObject(refusal('site', 3))
  await expect(client.sites.create(site)).rejects.toThrow('an organization can have 3 sites')
  const [first] = made
  await client.sites.delete(first?.id as string)
  await expect.poll(() => client.sites.create(site).catch(error => error)).toMatchObject({ name: 'Hall' })
  await expect(client.sites.edit(first?.id as string, { is_deleted: false })).rejects.toMatchObject(
    refusal('site', 3),
  )
  const other = await w.tenant()
  await expect(other.client.sites.create(site)).resolves.toMatchObject(site)
})

test('a member has only so many emails', async () => {
  const { client } = await w.tenant()
  const [one, two] = [await client.members.create({}), await client.members.create({})]
  const add = (id: string, count: number) =>
    client.member_emails.create(id, { email: `a${count}@example.com` })
  await add(one.id, 1)
  await add(one.id, 2)
  await expect(add(one.id, 3)).rejects.toMatchObject(refusal('member_email', 2))
  await expect(add(two.id, 1)).resolves.toMatchObject({ email: 'a1@example.com' })
})

test('one call that makes several keeps to the quotas or makes nothing', async () => {
  const { client } = await w.tenant()
  const emails = ['a@example.com', 'b@example.com', 'c@example.com']
  const grant = { member: { name: 'Ann' }, member_group_ids: [], credentials: { emails } }
  await expect(client.grants.create(grant)).rejects.toMatchObject(refusal('member_email', 2))
  expect((await client.members.list()).data).toEqual([])
})

test('an organization keeps only so many idempotency keys, and a stream beyond its own is refused', async () => {
  const { token } = await w.tenant()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'Crew', permissions: [] })
  const send = async (key: number) => {
    const options = { method: 'POST', headers: { ...headers, 'idempotency-key': `key ${key}` }, body }
    return (await fetch(`${w.url}/v2/member_groups`, options)).json() as Promise<Record<string, unknown>>
  }
  const answers = await Promise.all(Array.from({ length: 40 }, (_, key) => send(key)))
  const kinds = answers.map(({ args }) => (args as Record<string, string> | undefined)?.kind)
  expect(kinds.filter(kind => kind === 'idempotency_key').length).toBeGreaterThan(0)
  const stream = () =>
    fetch(`${w.url}/v2/events/stream`, { headers: { ...headers, accept: 'text/event-stream' } })
  const open = await stream()
  expect(open.status).toBe(200)
  expect(await (await stream()).json()).toMatchObject({ type: 'quota_exceeded', args: { kind: 'stream' } })
  await open.body?.cancel()
})

test('commands keep to the quota of idempotency keys, and repeats of those before it still get their answer', async () => {
  const { client, token } = await w.tenant()
  const { door } = await hotel(client)
  const send = async (key: number) => {
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': `key ${key}` }
    return fetch(`${w.url}/v2/gadgets/${door}/actions/open`, { method: 'POST', headers })
  }
  expect((await send(0)).status).toBe(200)
  // The client itself has used some for the hotel.
  for (let key = 1; key < quotas.idempotency_key; key++) await send(key)
  const opened = async () => (await client.gadgets.get(door)).last_action_at
  const before = await opened()
  expect(await (await send(quotas.idempotency_key)).json()).toMatchObject({
    type: 'quota_exceeded',
    args: { kind: 'idempotency_key' },
  })
  expect((await send(0)).headers.get('idempotent-replayed')).toBe('true')
  expect(await opened()).toBe(before)
})

test('applications, their pictures and organizations have quotas for a user', async () => {
  const user = await signUp(w, 'user@example.com')
  const application = { name: 'Sync', redirect_uris: ['https://client.example/'] }
  const makeApplication = () => user.account<{ id: string }>('POST', '/account/applications', application)
  const [first, second] = [await makeApplication(), await makeApplication()]
  expect(await makeApplication()).toMatchObject({
    status: 400,
    body: { type: 'quota_exceeded', args: { kind: 'oauth_application', quota: '2' } },
  })
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(90_000)])
  const logo = `data:image/png;base64,${png.toString('base64')}`
  const paint = (id: string) => user.account('PATCH', `/account/applications/${id}`, { logo })
  expect(await paint(first.body.id)).toMatchObject({ status: 200 })
  expect(await paint(first.body.id)).toMatchObject({ status: 200 })
  expect(await paint(second.body.id)).toMatchObject({ status: 400, body: { type: 'quota_exceeded' } })
  const make = () => user.account<{ id: string }>('POST', '/account/organizations', { name: 'Home' })
  const { body: home } = await make()
  await make()
  expect(await make()).toMatchObject({ status: 400, body: { args: { kind: 'organization', quota: '2' } } })
  const invite = (email: string) =>
    user.account('POST', `/account/organizations/${home.id}/invitations`, { email, role: 'viewer' })
  expect(await invite('a@example.com')).toMatchObject({ status: 200 })
  expect(await invite('b@example.com')).toMatchObject({ status: 400, body: { args: { kind: 'invitation' } } })
})

test('a sign-in beyond the quota ends the session that began first', async () => {
  const first = await signUp(w, 'often@example.com')
  const others = [new Visitor(first.url), new Visitor(first.url)]
  for (const visitor of others) await visitor.signIn('often@example.com', password)
  const statusOf = async (visitor: Visitor) => (await visitor.account('GET', '/account/session')).status
  await expect.poll(() => statusOf(first)).toBe(401)
  for (const visitor of others) expect(await statusOf(visitor)).toBe(200)
})
