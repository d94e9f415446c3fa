import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authorize, codeOf, exchange, found, register, signUp, statusOf } from './people.ts'
import type { Visitor } from './visitor.ts'

let w: World
let developer: Visitor
let stranger: Visitor
let url: string

beforeAll(async () => {
  w = await world({ is_reachable: true })
  developer = await signUp(w, 'developer@example.com')
  stranger = await signUp(w, 'stranger@example.com')
  url = developer.url
})
afterAll(() => w[Symbol.asyncDispose]())

test('an application shows its secret once and belongs to its developer', async () => {
  const { body } = await developer.account<Record<string, unknown>>('POST', '/account/applications', {
    name: 'Sync',
    redirect_uris: ['https://client.example/callback'],
  })
  expect(body.client_secret).toMatch(/^ghx_[\w-]{43}$/)
  const path = `/account/applications/${body.id}`
  const read = await developer.account<Record<string, unknown>>('GET', path)
  expect(read.body).toMatchObject({ id: body.id, name: 'Sync', has_secret: true })
  expect(JSON.stringify(read.body)).not.toContain('ghx_')
  for (const method of ['GET', 'PATCH', 'DELETE'])
    expect(
      (await stranger.account(method, path, method === 'PATCH' ? { name: 'x' } : undefined)).status,
    ).toBe(404)
  expect((await developer.account<{ name: string }>('PATCH', path, { name: 'Renamed' })).body.name).toBe(
    'Renamed',
  )
  expect((await developer.account('DELETE', path)).status).toBe(200)
  expect((await developer.account('GET', path)).status).toBe(404)
})

test('redirect URIs are https, loopback or a private scheme', async () => {
  for (const uri of [
    'http://client.example/',
    'https://*.example/',
    'https://a@b.example/',
    'javascript:alert(1)',
    'x:/y',
    'https://a.example/#x',
    '/path',
    'data:text/html,x',
  ]) {
    const { status, body } = await developer.account<{ args: object }>('POST', '/account/applications', {
      name: 'x',
      redirect_uris: [uri],
    })
    expect([uri, status, body.args]).toEqual([uri, 400, { field: 'redirect_uris.0' }])
  }
})

test('a logo is an image by its bytes, and is served from here', async () => {
  const { client_id } = await register(developer)
  const path = `/account/applications/${client_id}`
  const svg = `data:image/png;base64,${Buffer.from('<svg onload="alert(1)"/>').toString('base64')}`
  expect((await developer.account('PATCH', path, { logo: svg })).status).toBe(400)
  const png =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
  expect((await developer.account<{ has_logo: boolean }>('PATCH', path, { logo: png })).body.has_logo).toBe(
    true,
  )
  const answer = await fetch(`${url}/applications/${client_id}/logo`)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png'])
})

test('installations tell who installed what, since when, and when it was last used', async () => {
  const client = await register(developer)
  const organization_id = await found(stranger, 'Customer')
  const { body } = await exchange(
    url,
    client,
    codeOf(await authorize(stranger, { ...client, organization_id })),
  )
  await statusOf(url, body.access_token)
  const path = `/account/applications/${client.client_id}/installations`
  const seen = async () => (await developer.account<{ data: object[] }>('GET', path)).body.data
  await expect.poll(seen).toEqual([
    {
      organization_id,
      name: 'Customer',
      scopes: ['full_read_write', 'offline'],
      created_at: expect.any(String),
      last_used_at: expect.any(String),
    },
  ])
  const inside = await stranger.account<{ data: object[] }>(
    'GET',
    `/account/organizations/${organization_id}/installations`,
  )
  expect(inside.body.data).toMatchObject([{ oauth_application_id: client.client_id, name: 'Test client' }])
  expect(
    (await developer.account('GET', `/account/organizations/${organization_id}/installations`)).status,
  ).toBe(404)
})

test('deleting an application takes everything it had', async () => {
  const client = await register(developer)
  const organization_id = await found(stranger, 'Customer of a dying application')
  const { body } = await exchange(
    url,
    client,
    codeOf(await authorize(stranger, { ...client, organization_id })),
  )
  expect(await statusOf(url, body.access_token)).toBe(200)
  await developer.account('DELETE', `/account/applications/${client.client_id}`)
  expect(await statusOf(url, body.access_token)).toBe(401)
})

test.each(['hotel', 'office', 'gym'])(
  'a test organization from the template %s has doors and people, and a token without the dance',
  async template => {
    const client = await register(developer)
    const made = await developer.account<{ id: string; is_test: boolean }>('POST', '/account/organizations', {
      name: `Test ${template}`,
      template,
    })
    expect(made.body.is_test).toBe(true)
    const path = `/account/applications/${client.client_id}/tokens`
    const { status, body } = await developer.account<{ access_token: string }>('POST', path, {
      organization_id: made.body.id,
    })
    expect(status).toBe(200)
    const headers = { authorization: `Bearer ${body.access_token}` }
    for (const kind of ['sites', 'devices', 'gadgets', 'members', 'member_groups']) {
      const page = (await (await fetch(`${url}/v2/${kind}`, { headers })).json()) as { data: object[] }
      expect([kind, page.data.length > 0]).toEqual([kind, true])
    }
  },
)

test('a developer token is for own test organizations only', async () => {
  const client = await register(developer)
  const path = `/account/applications/${client.client_id}/tokens`
  const real = await found(developer, 'Real')
  const foreign = await stranger.account<{ id: string }>('POST', '/account/organizations', {
    name: 'Theirs',
    template: 'gym',
  })
  expect((await developer.account('POST', path, { organization_id: real })).status).toBe(403)
  expect((await developer.account('POST', path, { organization_id: foreign.body.id })).status).toBe(404)
})

test('developers manage the webhooks of their application in organizations that installed it', async () => {
  const client = await register(developer)
  const other = await register(developer)
  const organization_id = await found(stranger, 'Hooked')
  const base = (id: string) => `/account/applications/${id}/organizations/${organization_id}/webhooks`
  expect((await developer.account('GET', base(client.client_id))).status).toBe(404)
  const { body: tokens } = await exchange(
    url,
    client,
    codeOf(await authorize(stranger, { ...client, organization_id })),
  )
  const made = await developer.account<{ id: string; secret: string }>('POST', base(client.client_id), {
    url: 'https://hook.example/',
    filter: [{ object_type: 'member' }],
  })
  expect([made.status, made.body.secret]).toEqual([200, expect.stringMatching(/^whsec_/)])
  const headers = { authorization: `Bearer ${tokens.access_token}` }
  const page = (await (await fetch(`${url}/v2/webhooks`, { headers })).json()) as { data: { id: string }[] }
  expect(page.data.map(({ id }) => id)).toEqual([made.body.id])
  const path = `${base(client.client_id)}/${made.body.id}`
  expect(
    (await developer.account<{ is_enabled: boolean }>('PATCH', path, { is_enabled: false })).body.is_enabled,
  ).toBe(false)
  expect((await stranger.account('GET', path)).status).toBe(404)
  expect((await developer.account('GET', `${base(other.client_id)}/${made.body.id}`)).status).toBe(404)
  expect((await developer.account('DELETE', path)).status).toBe(200)
})

test('ids of no shape are not found, wherever they stand', async () => {
  for (const id of ['%00', '%F0%9F%98%80', '..%2F..', 'a'.repeat(300)]) {
    for (const path of [
      `/account/applications/${id}`,
      `/account/organizations/${id}/users`,
      `/applications/${id}/logo`,
    ])
      expect([path, (await developer.get(path)).status]).toEqual([path, 404])
    const query = new URLSearchParams({ client_id: decodeURIComponent(id), response_type: 'code' })
    expect((await developer.get(`/oauth2/auth?${query}`)).status).toBe(400)
  }
})

test('an address is not flooded with invitations', async () => {
  const organization_id = await found(developer, 'Eager')
  const path = `/account/organizations/${organization_id}/invitations`
  const statuses = []
  for (let times = 0; times < 7; times++)
    statuses.push(
      (await developer.account('POST', path, { email: 'flooded@example.com', role: 'viewer' })).status,
    )
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
})
