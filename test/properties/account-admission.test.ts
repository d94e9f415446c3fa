import { accountRoutes } from '@gatehouse-access/server'
import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authorize, type Client, found, register, signUp } from '../oauth/people.ts'
import type { Visitor } from '../oauth/visitor.ts'

/** Contained in everything that belongs to the organization and not to the requesting user. */
const marker = 'marker-of-the-organization'

let w: World
let owner: Visitor
let organization_id: string

/** Developers of an application that the organization installed. The outsider belongs to no organization. */
const people = ['signed_out', 'weak', 'outsider'] as const
type Person = (typeof people)[number]
const visitors = {} as Record<Person, Visitor>
const ids = {} as Record<Person, Record<string, string>>

beforeAll(async () => {
  w = await world({ is_reachable: true })
  owner = await signUp(w, `owner@${marker}.example`, `Owner ${marker}`)
  organization_id = await found(owner, 'Plain name')
  await authorize(owner, { ...(await register(owner, { name: `Of ${marker}` })), organization_id })
  for (const person of people) {
    const visitor = await signUp(w, `${person}@example.com`)
    if (person !== 'outsider') await join(visitor, `${person}@example.com`)
    const client = await register(visitor)
    await authorize(owner, { ...client, organization_id })
    visitors[person] = visitor
    ids[person] = await fill(visitor, client)
  }
})
afterAll(() => w[Symbol.asyncDispose]())

async function join(visitor: Visitor, email: string): Promise<void> {
  const path = `/account/organizations/${organization_id}/invitations`
  await owner.account('POST', path, { email, role: 'administrator' })
  const { body } = await visitor.account<{ data: { id: string }[] }>('GET', '/account/invitations')
  await visitor.account('POST', `/account/invitations/${body.data[0]?.id}/accept`)
}

/** Creates data to read behind every path. */
async function fill(visitor: Visitor, { client_id }: Client): Promise<Record<string, string>> {
  const hooks = `/account/applications/${client_id}/organizations/${organization_id}/webhooks`
  const webhook = await visitor.account<{ id: string }>('POST', hooks, {
    url: `https://${marker}.example/`,
    filter: [{ object_type: 'webhook', verb: 'use' }],
  })
  const path = `${hooks}/${webhook.body.id}/test`
  const delivery = await visitor.account<{ webhook_delivery_id: string }>('POST', path)
  const { body } = await owner.account<{ id: string }>(
    'POST',
    `/account/organizations/${organization_id}/invitations`,
    { email: `guest-of-${client_id}@${marker}.example`, role: 'viewer' },
  )
  const key = await owner.account<{ id: string }>(
    'POST',
    `/account/organizations/${organization_id}/api_keys`,
    { name: `Key ${marker}`, scopes: ['full_read_only'] },
  )
  const { user } = (await owner.account<{ user: { id: string } }>('GET', '/account/session')).body
  return {
    organization_id,
    application_id: client_id,
    webhook_id: webhook.body.id,
    webhook_delivery_id: delivery.body.webhook_delivery_id,
    invitation_id: body.id,
    api_key_id: key.body.id,
    user_id: user.id,
  }
}

/**
 * Routes that delete the application come last, because others need it. Signing out is excluded, because no
 * request could follow.
 */
const routes = accountRoutes
  .filter(({ method, path }) => method !== 'DELETE' || path !== '/session')
  .toSorted((one, next) => Number(isEnd(one)) - Number(isEnd(next)))

function isEnd({ method, path }: { method: string; path: string }): boolean {
  return method === 'DELETE' && path === '/applications/:application_id'
}

async function ask(person: Person, method: string, path: string) {
  const filled = path.replace(/:(\w+)/g, (_match, name) => ids[person][name] ?? 'x_00000000000000000000')
  const body = method === 'POST' || method === 'PATCH' ? {} : undefined
  return visitors[person].account<{ args?: { reason?: string } }>(method, `/account${filled}`, body)
}

test('who is admitted reads it', async () => {
  const seen = new Set()
  for (const { method, path } of routes.filter(route => route.method === 'GET')) {
    const { body } = await ask('weak', method, path)
    if (JSON.stringify(body).includes(marker)) seen.add(path.split('/').at(-1))
  }
  expect([...seen].sort()).toEqual([
    // The events of its deliveries name what was added.
    ':webhook_delivery_id',
    ':webhook_id',
    'api_keys',
    'applications',
    'installations',
    'invitations',
    'users',
    'webhooks',
  ])
})

/**
 * Expects that every path within an organization is refused with the reason, and that no other path reveals
 * its data.
 */
async function findLeaks(person: Person, reason: string, asked = routes) {
  const leaks = []
  for (const { method, path } of asked) {
    const { status, body } = await ask(person, method, path)
    const is_refused = status === 403 && body.args?.reason === reason
    const is_inside = path.includes(':organization_id')
    if (JSON.stringify(body).includes(marker) || (is_inside && !is_refused))
      leaks.push([method, path, status, body])
  }
  return leaks
}

test('a session that an administrator signed out reads nothing of the organization', async () => {
  const { body } = await visitors.signed_out.account<{ user: { id: string } }>('GET', '/account/session')
  const path = `/account/organizations/${organization_id}/users/${body.user.id}/sign_out`
  expect((await owner.account('POST', path)).status).toBe(200)
  expect(await findLeaks('signed_out', 'sign_in_again')).toEqual([])
})

test('a session without the demanded second factor reads nothing of it, of a developer from outside neither', async () => {
  const { db } = w.server.context
  await db.query('INSERT INTO organization_security VALUES ($1, true)', [organization_id])
  db.afterCommit('rights_changed')
  expect(await findLeaks('weak', 'second_factor_required')).toEqual([])
  const hooks = routes.filter(({ path }) => path.includes('/webhooks'))
  expect(await findLeaks('outsider', 'second_factor_required', hooks)).toEqual([])
})

test('an organization that has nothing to do with the user does not exist', async () => {
  const stranger = await signUp(w, 'stranger@example.com')
  const client = await register(stranger)
  const path = `/account/applications/${client.client_id}/organizations/${organization_id}/webhooks`
  expect((await stranger.account('GET', path)).status).toBe(404)
  expect((await stranger.account('GET', `/account/organizations/${organization_id}/users`)).status).toBe(404)
})
