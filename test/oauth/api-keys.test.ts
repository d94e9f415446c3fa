import { createClient } from '@gatehouse-access/sdk'
import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { found, signUp } from './people.ts'
import type { Visitor } from './visitor.ts'

let w: World
let owner: Visitor
let organization_id: string

beforeAll(async () => {
  w = await world({ is_reachable: true })
  owner = await signUp(w, 'owner@example.com')
  organization_id = await found(owner, 'House')
})
afterAll(() => w[Symbol.asyncDispose]())

interface Made {
  readonly id: string
  readonly key: string
}

const path = (rest = '') => `/account/organizations/${organization_id}/api_keys${rest}`
const make = (body: object, who = owner) => who.account<Made>('POST', path(), body)
const clientOf = (token: string) => createClient({ base_url: `${w.url}/v2`, token, retries: 0 })

async function join(email: string, role: string): Promise<Visitor> {
  const visitor = await signUp(w, email)
  await owner.account('POST', `/account/organizations/${organization_id}/invitations`, { email, role })
  const { body } = await visitor.account<{ data: { id: string }[] }>('GET', '/account/invitations')
  await visitor.account('POST', `/account/invitations/${body.data[0]?.id}/accept`)
  return visitor
}

test('a key works without the OAuth flow, is shown once, and events name it', async () => {
  const { status, body } = await make({ name: 'Door script', scopes: ['full_read_write'] })
  expect(status).toBe(200)
  expect(body).toMatchObject({ name: 'Door script', scopes: ['full_read_write'], expires_at: null })
  const client = clientOf(body.key)
  const member = await client.members.create({ name: 'Made by a key' })
  const { data } = await client.events.list({
    'object.member_id': member.id,
    expand: ['subject_oauth_application'],
  })
  expect(data[0]?.subject).toMatchObject({ oauth_application_id: body.id, user_id: null })
  expect(JSON.stringify(data[0])).toContain('Door script')
  const made = await client.events.list({ 'object.oauth_application_id': body.id, verb: 'create' })
  expect(made.data[0]?.object).toMatchObject({ reason: 'api_key', name: 'Door script' })

  const list = await owner.account<{ data: object[] }>('GET', path())
  expect(list.body.data).toMatchObject([
    { id: body.id, hint: body.key.slice(-4), scopes: ['full_read_write'] },
  ])
  expect(JSON.stringify(list.body)).not.toContain(body.key)
  expect(JSON.stringify(made)).not.toContain(body.key)
  await expect
    .poll(async () => JSON.stringify((await owner.account('GET', path())).body))
    .toMatch(/"last_used_at":"20/)
  const applications = await owner.account('GET', `/account/organizations/${organization_id}/installations`)
  expect(JSON.stringify(applications.body)).not.toContain(body.id)
  expect((await owner.account('GET', `/account/applications/${body.id}`)).status).toBe(404)
})

test('a revoked key is refused, and one whose end has passed', async () => {
  const revoked = (await make({ name: 'Revoked', scopes: ['full_read_only'] })).body
  await clientOf(revoked.key).organization.get()
  expect((await owner.account('DELETE', path(`/${revoked.id}`))).status).toBe(200)
  await expect(clientOf(revoked.key).organization.get()).rejects.toMatchObject({ status: 401 })
  expect((await owner.account('DELETE', path(`/${revoked.id}`))).status).toBe(404)

  const expires_at = new Date(Date.parse(w.clock.now()) + 60_000).toISOString()
  const ending = (await make({ name: 'Ending', scopes: ['full_read_only'], expires_at })).body
  await clientOf(ending.key).organization.get()
  w.clock.advance(61)
  await expect(clientOf(ending.key).organization.get()).rejects.toMatchObject({ status: 401 })
  const past = await make({ name: 'Past', scopes: ['full_read_only'], expires_at })
  expect(past).toMatchObject({ status: 400, body: { args: { field: 'expires_at' } } })
})

test('a key can do what its scopes say, and reaches no other organization', async () => {
  const { key } = (await make({ name: 'Desk', scopes: ['members'] })).body
  const client = clientOf(key)
  const member = await client.members.create({ name: 'Somebody' })
  await expect(client.devices.list()).rejects.toMatchObject({ status: 403 })
  const other = await w.tenant()
  await expect(clientOf(other.token).members.get(member.id)).rejects.toMatchObject({ status: 404 })
  expect(await make({ name: 'Wrong', scopes: ['everything'] })).toMatchObject({
    status: 400,
    body: { args: { field: 'scopes.0' } },
  })
  expect((await make({ name: 'None', scopes: [] })).status).toBe(400)
})

test('administrators make keys, viewers neither make nor see them, strangers find nothing', async () => {
  const viewer = await join('viewer@example.com', 'viewer')
  const administrator = await join('administrator@example.com', 'administrator')
  const wish = { name: 'Theirs', scopes: ['full_read_only'] }
  expect((await make(wish, viewer)).status).toBe(403)
  expect((await viewer.account('GET', path())).status).toBe(403)
  const stranger = await signUp(w, 'stranger@example.com')
  expect((await make(wish, stranger)).status).toBe(404)
  const { status, body } = await make(wish, administrator)
  expect(status).toBe(200)

  // Like the other applications of somebody who leaves, the key ends unless an owner keeps it.
  const { user } = (await administrator.account<{ user: { id: string } }>('GET', '/account/session')).body
  await owner.account('DELETE', `/account/organizations/${organization_id}/users/${user.id}`)
  await expect(clientOf(body.key).organization.get()).rejects.toMatchObject({ status: 401 })
})
