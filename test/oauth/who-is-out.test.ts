import type { World } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  authorize,
  type Client,
  codeOf,
  exchange,
  found,
  password,
  refresh,
  register,
  signUp,
  statusOf,
} from './people.ts'
import { openStage } from './stage.ts'
import type { Visitor } from './visitor.ts'

let w: World
let url: string
let owner: Visitor
let other: Visitor
let other_id: string
let own: Client
let organization_id: string

beforeAll(async () => {
  ;({ w, owner, url } = await openStage())
  other = await signUp(w, 'other@example.com')
  other_id = (await other.account<{ user: { id: string } }>('GET', '/account/session')).body.user.id
  own = await register(other, { name: "Other's own" })
})
afterAll(() => w[Symbol.asyncDispose]())

// An address receives at most five emails an hour, and these tests invite the same address repeatedly.
beforeEach(async () => {
  w.clock.advance(3600)
  // Creating owners and secrets requires a recent sign-in.
  await owner.signIn('owner@example.com', password)
  organization_id = await found(owner, `Organization ${Math.random()}`)
})

function path(rest = ''): string {
  return `/account/organizations/${organization_id}${rest}`
}

async function join(visitor: Visitor, email: string, role: string): Promise<void> {
  await owner.account('POST', path('/invitations'), { email, role })
  const { body } = await visitor.account<{ data: { id: string; organization_id: string }[] }>(
    'GET',
    '/account/invitations',
  )
  const invitation = body.data.find(one => one.organization_id === organization_id)
  expect((await visitor.account('POST', `/account/invitations/${invitation?.id}/accept`)).status).toBe(200)
}

async function tokensOf(visitor: Visitor, client: Client) {
  const end = await authorize(visitor, { ...client, organization_id, scope: 'full_read_write offline' })
  return (await exchange(url, client, codeOf(end))).body
}

async function hook(token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ url: 'https://hook.example/', filter: [] })
  expect((await fetch(`${url}/v2/webhooks`, { method: 'POST', headers, body })).status).toBe(200)
}

async function countHooks(): Promise<number> {
  const rows = await w.server.context.db.query(
    'SELECT id FROM webhooks WHERE organization_id = $1 AND NOT is_deleted',
    [organization_id],
  )
  return rows.length
}

/** Returns what the application can still use: its token, its refresh token, its webhooks. */
async function rightsOf(client: Client, tokens: { access_token: string; refresh_token?: string }) {
  return [
    await statusOf(url, tokens.access_token),
    (await refresh(url, client, tokens.refresh_token ?? '')).status,
    await countHooks(),
  ]
}

const everything = [200, 200, 1]
const nothing = [401, 400, 0]

test.for(['other', 'owner'])('an application ends with its developer, also when %s allowed it', async who => {
  await join(other, 'other@example.com', 'administrator')
  const tokens = await tokensOf(who === 'other' ? other : owner, own)
  await hook(tokens.access_token)
  const listed = await owner.account('GET', path(`/users/${other_id}/applications`))
  expect(listed.body).toEqual({
    data: [{ id: own.client_id, name: "Other's own", scopes: ['full_read_write', 'offline'] }],
  })
  const removed = await owner.account('DELETE', path(`/users/${other_id}`))
  expect(removed).toMatchObject({ status: 200, body: { ended_applications: [{ id: own.client_id }] } })
  expect(await rightsOf(own, tokens)).toEqual(nothing)
})

test('an application of a user who leaves ends too', async () => {
  await join(other, 'other@example.com', 'administrator')
  const tokens = await tokensOf(owner, own)
  await hook(tokens.access_token)
  expect((await other.account('POST', path('/leave'))).status).toBe(200)
  expect(await rightsOf(own, tokens)).toEqual(nothing)
})

test('an owner keeps an application in the same step; nobody else can', async () => {
  await join(other, 'other@example.com', 'administrator')
  const third = await signUp(w, `third${Math.random()}@example.com`)
  const { email, id } = (
    await third.account<{ user: { id: string; email: string } }>('GET', '/account/session')
  ).body.user
  await join(third, email, 'administrator')
  const tokens = await tokensOf(other, own)
  await hook(tokens.access_token)
  const keep_applications = [own.client_id]
  const removal = path(`/users/${other_id}`)
  expect((await third.account('DELETE', removal, { keep_applications })).status).toBe(403)
  expect((await other.account('DELETE', removal, { keep_applications })).status).toBe(403)
  const unknown = { keep_applications: ['app_00000000000000000000'] }
  expect((await owner.account('DELETE', removal, unknown)).status).toBe(400)
  expect((await owner.account('DELETE', path(`/users/${id}`), { keep_applications })).status).toBe(400)
  const removed = await owner.account('DELETE', removal, { keep_applications })
  expect(removed).toMatchObject({ status: 200, body: { ended_applications: [] } })
  expect(await rightsOf(own, tokens)).toEqual(everything)
})

test('who becomes viewer has no application left that writes, unless an owner keeps it', async () => {
  await join(other, 'other@example.com', 'administrator')
  const tokens = await tokensOf(owner, own)
  await hook(tokens.access_token)
  const user = path(`/users/${other_id}`)
  expect((await owner.account('PATCH', user, { role: 'owner' })).status).toBe(200)
  expect((await owner.account('PATCH', user, { role: 'administrator' })).status).toBe(200)
  expect(await statusOf(url, tokens.access_token)).toBe(200)
  const kept = { role: 'viewer', keep_applications: [own.client_id] }
  expect((await owner.account('PATCH', user, kept)).status).toBe(200)
  expect(await statusOf(url, tokens.access_token)).toBe(200)
  await owner.account('PATCH', user, { role: 'administrator' })
  const lowered = await owner.account('PATCH', user, { role: 'viewer' })
  expect(lowered.body).toMatchObject({ role: 'viewer', ended_applications: [{ id: own.client_id }] })
  expect(await rightsOf(own, tokens)).toEqual(nothing)
})

test('an application that others installed elsewhere goes on there', async () => {
  const elsewhere = await found(owner, 'Elsewhere')
  const end = await authorize(owner, { ...own, organization_id: elsewhere })
  const tokens = (await exchange(url, own, codeOf(end))).body
  await join(other, 'other@example.com', 'administrator')
  await tokensOf(owner, own)
  await owner.account('DELETE', path(`/users/${other_id}`))
  expect(await statusOf(url, tokens.access_token)).toBe(200)
})

async function restoreAfter(change: () => Promise<unknown>): Promise<void> {
  expect((await owner.account('DELETE', path())).status).toBe(200)
  await change()
  expect((await owner.account('POST', path('/restore'))).status).toBe(200)
}

test('an organization that is restored gives no rights back to a granter who was removed meanwhile', async () => {
  const theirs = await register(owner, { name: 'Of the owner' })
  await join(other, 'other@example.com', 'administrator')
  const tokens = await tokensOf(other, theirs)
  await hook(tokens.access_token)
  await restoreAfter(() => owner.account('DELETE', path(`/users/${other_id}`)))
  expect(await rightsOf(theirs, tokens)).toEqual(nothing)
})

test('nor to one who deleted the account, and those of others go on', async () => {
  const theirs = await register(owner, { name: 'Of the owner' })
  const email = `gone${Math.random()}@example.com`
  const gone = await signUp(w, email)
  await join(gone, email, 'administrator')
  const tokens = await tokensOf(gone, theirs)
  const others = await tokensOf(owner, theirs)
  await hook(tokens.access_token)
  await restoreAfter(async () => expect((await gone.account('DELETE', '/account/user')).status).toBe(200))
  expect((await rightsOf(theirs, tokens)).slice(0, 2)).toEqual([401, 400])
  expect(await rightsOf(theirs, others)).toEqual(everything)
})

test('one who was made viewer meanwhile has given no more than reading', async () => {
  const theirs = await register(owner, { name: 'Of the owner' })
  await join(other, 'other@example.com', 'administrator')
  const tokens = await tokensOf(other, theirs)
  await restoreAfter(() => owner.account('PATCH', path(`/users/${other_id}`), { role: 'viewer' }))
  const next = (await refresh(url, theirs, tokens.refresh_token ?? '')).body
  for (const { access_token } of [tokens, next]) {
    const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
    const made = await fetch(`${url}/v2/members`, { method: 'POST', headers, body: '{"name":"x"}' })
    expect([await statusOf(url, access_token), made.status]).toEqual([200, 403])
  }
})

test('a refresh token gives nothing in the name of somebody who does not belong to the organization', async () => {
  const theirs = await register(owner, { name: 'Of the owner' })
  await join(other, 'other@example.com', 'administrator')
  const tokens = await tokensOf(other, theirs)
  await w.server.context.db.query('DELETE FROM organization_users WHERE user_id = $1', [other_id])
  expect((await refresh(url, theirs, tokens.refresh_token ?? '')).status).toBe(400)
})

async function invite(visitor: Visitor, role: string): Promise<string> {
  const email = `guest${Math.random()}@example.com`
  expect((await visitor.account('POST', path('/invitations'), { email, role })).status).toBe(200)
  return email
}

async function invited(): Promise<string[]> {
  const { body } = await owner.account<{ data: { email: string }[] }>('GET', path('/invitations'))
  return body.data.map(({ email }) => email).sort()
}

test('invitations end with the role of their inviter, each with an event', async () => {
  await join(other, 'other@example.com', 'owner')
  await other.signIn('other@example.com', password)
  const by_owner = await invite(owner, 'owner')
  await invite(other, 'owner')
  const by_other = await invite(other, 'administrator')
  const low = await invite(other, 'viewer')
  const user = path(`/users/${other_id}`)
  await owner.account('PATCH', user, { role: 'administrator' })
  expect(await invited()).toEqual([by_owner, by_other, low].sort())
  await owner.account('PATCH', user, { role: 'viewer' })
  expect(await invited()).toEqual([by_owner])
  await owner.account('PATCH', user, { role: 'administrator' })
  expect(await invited()).toEqual([by_owner])
  const events = await w.server.context.db.query(
    `SELECT 1 FROM events WHERE organization_id = $1 AND verb = 'delete' AND object->>'type' = 'invitation'`,
    [organization_id],
  )
  expect(events).toHaveLength(3)
})

test('who was invited by somebody removed cannot accept, and cannot sign up by it', async () => {
  await join(other, 'other@example.com', 'administrator')
  const email = await invite(other, 'administrator')
  const guest = await signUp(w, email)
  const { body } = await guest.account<{ data: { id: string }[] }>('GET', '/account/invitations')
  await owner.account('DELETE', path(`/users/${other_id}`))
  expect((await guest.account('POST', `/account/invitations/${body.data[0]?.id}/accept`)).status).toBe(404)
  // An invitation left over, for example by an older version, is rejected as well.
  await w.server.context.db.query(
    `INSERT INTO invitations (id, organization_id, email, email_key, role, invited_by, created_at, expires_at)
     VALUES ('inv_old', $1, $2, $2, 'viewer', $3, $4, $4::timestamptz + interval '1 day')`,
    [organization_id, email, other_id, w.clock.now()],
  )
  expect(await invited()).toEqual([])
  expect((await guest.account<{ data: [] }>('GET', '/account/invitations')).body.data).toEqual([])
  expect((await guest.account('POST', '/account/invitations/inv_old/accept')).status).toBe(404)
})
