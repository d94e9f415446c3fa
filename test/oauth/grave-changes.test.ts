import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callback, found, password, register, signUp } from './people.ts'
import type { Visitor } from './visitor.ts'

let w: World
let owner: Visitor
let organization: string
let application: string
let other_id: string
let device_id: string

beforeAll(async () => {
  w = await world({ is_reachable: true })
  owner = await signUp(w, 'owner@example.com')
  const other = await signUp(w, 'other@example.com')
  other_id = (await other.account<{ user: { id: string } }>('GET', '/account/session')).body.user.id
  const id = await found(owner)
  organization = `/account/organizations/${id}`
  await owner.account('POST', `${organization}/invitations`, { email: 'other@example.com', role: 'viewer' })
  const { body } = await other.account<{ data: { id: string }[] }>('GET', '/account/invitations')
  await other.account('POST', `/account/invitations/${body.data[0]?.id}/accept`)
  application = `/account/applications/${(await register(owner)).client_id}`
  const site = await inside<{ id: string }>('POST', '/sites', { name: 'Site', timezone: 'UTC' })
  const products = await inside<{ data: { id: string }[] }>('GET', '/products')
  const device = await inside<{ id: string }>('POST', '/devices', {
    name: 'Controller',
    site_id: site.body.id,
    product_id: products.body.data[0]?.id,
    hardware_id: 'hw_grave',
  })
  device_id = device.body.id
})
afterAll(() => w[Symbol.asyncDispose]())

/** Calls the API as the console does. */
async function inside<T>(method: string, path: string, body?: object): Promise<{ status: number; body: T }> {
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const session = await owner.account<{ csrf_token: string; organizations: { id: string }[] }>(
    'GET',
    '/account/session',
  )
  const answer = await fetch(`${owner.url}/v2${path}`, {
    method,
    headers: {
      cookie,
      'x-csrf-token': session.body.csrf_token,
      'x-organization-id': session.body.organizations[0]?.id ?? '',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as T }
}

const uris = ['https://elsewhere.example/']

/** In this order, each change succeeds after a recent sign-in. */
const grave: Record<string, () => Promise<{ status: number; body: unknown }>> = {
  'an application with a secret': () =>
    owner.account('POST', '/account/applications', { name: 'Another', redirect_uris: uris }),
  'a new secret': () => owner.account('POST', `${application}/secret`),
  'another redirect URI': () => owner.account('PATCH', application, { redirect_uris: uris }),
  'the secret of a device': () => inside('POST', `/devices/${device_id}/credentials`, {}),
  'an owner invited': () =>
    owner.account('POST', `${organization}/invitations`, { email: 'new@example.com', role: 'owner' }),
  'an owner made': () => owner.account('PATCH', `${organization}/users/${other_id}`, { role: 'owner' }),
  'handing over': () => owner.account('POST', `${organization}/transfer`, { user_id: other_id }),
}

test('the gravest changes need a sign-in of the last ten minutes; others do not', async () => {
  w.clock.advance(601)
  for (const [what, change] of Object.entries(grave)) {
    const { status, body } = await change()
    expect([what, status, (body as { args: object }).args]).toEqual([what, 403, { reason: 'not_recent' }])
  }
  const operations = [{ method: 'POST', path: `/devices/${device_id}/credentials`, body: {} }]
  const bulk = await inside<{ results: unknown[] }>('POST', '/bulk', { operations })
  expect(bulk.body.results).toMatchObject([{ status: 403, body: { args: { reason: 'not_recent' } } }])
  const plain = [
    await owner.account('PATCH', application, { name: 'Renamed', redirect_uris: [callback] }),
    await owner.account('POST', '/account/applications', { name: 'P', redirect_uris: uris, is_public: true }),
    await owner.account('POST', `${organization}/invitations`, { email: 'x@example.com', role: 'viewer' }),
    await owner.account('PATCH', `${organization}/users/${other_id}`, { role: 'administrator' }),
  ]
  expect(plain.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  await owner.signIn('owner@example.com', password)
  for (const [what, change] of Object.entries(grave))
    expect([what, (await change()).status]).toEqual([what, 200])
})
