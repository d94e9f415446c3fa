import { endpoints } from '@gatehouse-access/api'
import { cleanUp, purgeOrganizations } from '@gatehouse-access/server'
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
  signUp,
  statusOf,
} from './people.ts'
import { openStage } from './stage.ts'
import type { Visitor } from './visitor.ts'

let w: World
let owner: Visitor
let other: Visitor
let client: Client
let organization_id: string
let other_id: string
let url: string

beforeAll(async () => {
  ;({ w, owner, client, url } = await openStage())
  other = await signUp(w, 'other@example.com')
  other_id = (await other.account<{ user: { id: string } }>('GET', '/account/session')).body.user.id
})
afterAll(() => w[Symbol.asyncDispose]())

// An address receives at most five emails an hour, and these tests invite the same address repeatedly.
beforeEach(async () => {
  w.clock.advance(3600)
  // Creating owners and secrets requires a recent sign-in.
  await owner.signIn('owner@example.com', password)
  organization_id = await found(owner, `Organization ${Math.random()}`)
})

async function join(role: string): Promise<void> {
  await owner.account('POST', `/account/organizations/${organization_id}/invitations`, {
    email: 'other@example.com',
    role,
  })
  const { body } = await other.account<{ data: { id: string; organization_id: string }[] }>(
    'GET',
    '/account/invitations',
  )
  const own = body.data.find(invitation => invitation.organization_id === organization_id)
  expect((await other.account('POST', `/account/invitations/${own?.id}/accept`)).status).toBe(200)
}

function setRole(role: string) {
  return owner.account('PATCH', `/account/organizations/${organization_id}/users/${other_id}`, { role })
}

async function tokensOf(visitor: Visitor, scope: string) {
  const end = await authorize(visitor, { ...client, organization_id, scope })
  return (await exchange(url, client, codeOf(end))).body
}

async function create(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${url}/v2/tags`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'x', color: '#112233', applies_to: ['member'] }),
  })
  await answer.arrayBuffer()
  return answer.status
}

test('events name the invited, the installed, and the roles before and after', async () => {
  await join('viewer')
  await setRole('administrator')
  await tokensOf(other, 'full_read_only')
  const events = await w.server.context.db.query<{ verb: string; object: Record<string, unknown> }>(
    'SELECT verb, object FROM events WHERE organization_id = $1 ORDER BY sequence',
    [organization_id],
  )
  const told = events.map(({ verb, object: { type, name, changes } }) => ({ verb, type, name, changes }))
  expect(told).toContainEqual({ verb: 'create', type: 'invitation', name: 'other@example.com' })
  expect(told).toContainEqual({ verb: 'use', type: 'invitation', name: 'other@example.com' })
  const changes = [{ field: 'role', before: 'viewer', after: 'administrator' }]
  expect(told).toContainEqual({ verb: 'edit', type: 'user', changes })
  expect(told).toContainEqual({
    verb: 'create',
    type: 'oauth_application',
    name: expect.stringMatching(/./),
  })
})

test('a read-only token may write nothing and reveal nothing, but manages its own webhooks', async () => {
  const { access_token } = await tokensOf(owner, 'full_read_only')
  const id = (name: string) => `${name}_00000000000000000000`
  const wrong = []
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/\{(\w+)\}/g, (_match, name) => id(name))
    const answer = await fetch(`${url}/v2${path}`, {
      method: endpoint.method,
      headers: { authorization: `Bearer ${access_token}` },
    })
    const body = (await answer.json()) as { type?: string }
    const is_denied = answer.status === 403 && body.type === 'permission_denied'
    const may = endpoint.scope === 'read' || endpoint.resource.owned_by_application
    if (is_denied === may) wrong.push([endpoint.id, answer.status])
  }
  expect(wrong).toEqual([])
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ url: 'https://hook.example/', filter: [] })
  const made = await fetch(`${url}/v2/webhooks`, { method: 'POST', headers, body })
  expect(made.status).toBe(200)
  const { id: webhook } = (await made.json()) as { id: string }
  expect((await fetch(`${url}/v2/webhooks/${webhook}`, { method: 'DELETE', headers })).status).toBe(200)
})

test('a viewer gives reading only, and gains nothing by installing an application', async () => {
  await join('viewer')
  const refused = await authorizeAsViewer('full_read_write offline')
  expect(refused).toContain('disabled')
  const both = await tokensOf(other, 'full_read_write full_read_only offline')
  expect(both.scope.split(' ').sort()).toEqual(['full_read_only', 'offline'])
  expect([await statusOf(url, both.access_token), await create(both.access_token)]).toEqual([200, 403])
  const more = await refresh(url, client, both.refresh_token ?? '', { scope: 'full_read_write' })
  expect(more.body.error).toBe('invalid_scope')
})

/** The viewer also belongs to other organizations, so the page asks which one to use. */
async function authorizeAsViewer(scope: string): Promise<string> {
  const query = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: 'https://client.example/callback',
    response_type: 'code',
    scope,
    state: 's',
  })
  await found(other, 'Own')
  await other.get(`/oauth2/auth?${query}`)
  await other.follow()
  const choice = new RegExp(`<input[^>]*value="${organization_id}"[^>]*>`).exec(other.text)?.[0] ?? ''
  const forced = await other.submit('/authorize/', { organization_id, decision: 'allow' })
  const end = await forced.follow()
  expect(new URL(end ?? '').searchParams.get('error')).toBe('access_denied')
  return choice
}

test('a viewer cannot use what an administrator installed to gain rights', async () => {
  await tokensOf(owner, 'full_read_write offline')
  await join('viewer')
  const own = await tokensOf(other, 'full_read_write full_read_only offline')
  expect(await create(own.access_token)).toBe(403)
})

test('a viewer takes back what it allowed itself, and nothing else', async () => {
  const path = `/account/organizations/${organization_id}/installations/${client.client_id}`
  const installed = async () => (await owner.account<{ data: object[] }>('GET', listed)).body.data.length
  const listed = `/account/organizations/${organization_id}/installations`
  await join('viewer')
  const own = await tokensOf(other, 'full_read_only offline')
  expect((await other.account('DELETE', path)).status).toBe(200)
  expect([await statusOf(url, own.access_token), await installed()]).toEqual([401, 0])

  const theirs = await tokensOf(owner, 'full_read_write offline')
  expect((await other.account('DELETE', path)).status).toBe(403)
  const second = await tokensOf(other, 'full_read_only offline')
  expect((await other.account<{ data: object[] }>('GET', listed)).body.data).toMatchObject([{ is_own: true }])
  expect((await other.account('DELETE', path)).status).toBe(200)
  expect(await statusOf(url, second.access_token)).toBe(401)
  expect((await refresh(url, client, second.refresh_token ?? '')).status).toBe(400)
  expect(await statusOf(url, theirs.access_token)).toBe(200)
})

test('a granter who loses the role takes the rights of the tokens down, at once', async () => {
  await join('administrator')
  const tokens = await tokensOf(other, 'full_read_write offline')
  expect(await create(tokens.access_token)).toBe(200)
  expect((await setRole('viewer')).status).toBe(200)
  expect([await statusOf(url, tokens.access_token), await create(tokens.access_token)]).toEqual([200, 403])
  const next = (await refresh(url, client, tokens.refresh_token ?? '')).body
  expect(await create(next.access_token)).toBe(403)
  await setRole('administrator')
  expect(await create(next.access_token)).toBe(200)
})

test('when the granter leaves, the installation passes to the owners, who are told, with no more rights than it had', async () => {
  await join('administrator')
  const tokens = await tokensOf(other, 'full_read_write offline')
  expect((await other.account('POST', `/account/organizations/${organization_id}/leave`)).status).toBe(200)
  expect(await create(tokens.access_token)).toBe(200)
  const next = await refresh(url, client, tokens.refresh_token ?? '')
  expect([next.status, await create(next.body.access_token)]).toEqual([200, 200])
  expect(w.server.context.mailer.outbox?.[0]).toMatchObject({ to: 'owner@example.com', kind: 'passed' })

  await join('administrator')
  const later = await tokensOf(other, 'full_read_write offline')
  await setRole('viewer')
  await owner.account('DELETE', `/account/organizations/${organization_id}/users/${other_id}`)
  expect(await create(later.access_token)).toBe(403)
  const last = (await refresh(url, client, later.refresh_token ?? '')).body
  expect([await statusOf(url, last.access_token), await create(last.access_token)]).toEqual([200, 403])
})

test('an organization keeps an owner, also when the last two leave at once', async () => {
  const leave = (visitor: Visitor) =>
    visitor.account<{ args: object }>('POST', `/account/organizations/${organization_id}/leave`)
  expect((await leave(owner)).body.args).toEqual({ reason: 'last_owner' })
  await join('owner')
  const answers = await Promise.all([leave(owner), leave(other)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
})

test('only owners make owners; a transfer makes one and steps down', async () => {
  await join('administrator')
  const path = `/account/organizations/${organization_id}`
  expect((await other.account('PATCH', `${path}/users/${other_id}`, { role: 'owner' })).status).toBe(403)
  expect(
    (await other.account('POST', `${path}/invitations`, { email: 'x@example.com', role: 'owner' })).status,
  ).toBe(403)
  expect((await owner.account('POST', `${path}/transfer`, { user_id: other_id })).status).toBe(200)
  const { body } = await owner.account<{ data: { email: string; role: string }[] }>('GET', `${path}/users`)
  expect(Object.fromEntries(body.data.map(({ email, role }) => [email, role]))).toEqual({
    'owner@example.com': 'administrator',
    'other@example.com': 'owner',
  })
})

test('the console acts through the API with cookie, CSRF header and organization; the subject is the user', async () => {
  await join('viewer')
  const cookie = (visitor: Visitor) =>
    [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const csrf = async (visitor: Visitor) =>
    (await visitor.account<{ csrf_token: string }>('GET', '/account/session')).body.csrf_token
  const call = async (
    visitor: Visitor,
    method: string,
    path: string,
    headers: Record<string, string> = {},
  ) => {
    const answer = await fetch(`${url}/v2${path}`, {
      method,
      headers: {
        cookie: cookie(visitor),
        'x-csrf-token': await csrf(visitor),
        'x-organization-id': organization_id,
        ...(method === 'POST' && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(method === 'POST' && { body: JSON.stringify({ name: 'Made by hand' }) }),
    })
    return { status: answer.status, body: (await answer.json()) as { id: string } }
  }
  const made = await call(owner, 'POST', '/members')
  expect(made.status).toBe(200)
  const [event] = await w.server.context.db.query<{ subject: { user_id: string } }>(
    `SELECT subject FROM events WHERE object->>'member_id' = $1`,
    [made.body.id],
  )
  expect(event?.subject.user_id).toMatch(/^usr_/)
  expect((await call(other, 'GET', '/members')).status).toBe(200)
  expect((await call(other, 'POST', '/members')).status).toBe(403)
  expect((await call(owner, 'GET', '/members', { 'x-csrf-token': 'wrong' })).status).toBe(403)
  expect(
    (await call(owner, 'GET', '/members', { 'x-organization-id': 'org_00000000000000000000' })).status,
  ).toBe(403)
  expect((await call(owner, 'GET', '/webhooks')).status).toBe(403)
  await setRole('administrator')
  expect((await call(other, 'POST', '/members')).status).toBe(200)
  await owner.account('DELETE', `/account/organizations/${organization_id}/users/${other_id}`)
  expect((await call(other, 'GET', '/members')).status).toBe(403)
})

test('a lock for one door has parts in the language in which it is added', async () => {
  const call = (method: string, path: string, language: string, body?: object) =>
    owner.account<Record<string, unknown>>(method, `/v2${path}`, body, {
      'x-organization-id': organization_id,
      'accept-language': language,
    })
  const site = await call('POST', '/sites', 'de', { name: 'Hof', timezone: 'Europe/Berlin' })
  const partsIn = async (language: string) => {
    const lock = { name: language, site_id: site.body.id, product_id: 'cylinder' }
    const { body } = await call('POST', '/devices', language, lock)
    const { data } = (await call('GET', `/gadgets?device_id=${body.id}`, language)).body
    const [{ actions, states }] = data as [Record<'actions' | 'states', { name: string }[]>]
    return [...actions, ...states].map(({ name }) => name)
  }
  expect(await partsIn('de')).toEqual(['Öffnen', 'Geschlossen', 'Offen'])
  expect(await partsIn('fr')).toEqual(['Ouvrir', 'Fermée', 'Ouverte'])
  expect(await partsIn('nl')).toEqual(['Open', 'Closed', 'Open'])
})

test('a deleted organization stops at once and can be restored for 30 days', async () => {
  const tokens = await tokensOf(owner, 'full_read_write offline')
  const path = `/account/organizations/${organization_id}`
  expect((await owner.account('DELETE', path)).status).toBe(200)
  expect(await statusOf(url, tokens.access_token)).toBe(401)
  expect((await owner.account('POST', `${path}/restore`)).status).toBe(200)
  expect(await statusOf(url, tokens.access_token)).toBe(200)
  await owner.account('DELETE', path)
  await w.server.context.db.query(
    'UPDATE organization_deletions SET due_at = $2 WHERE organization_id = $1',
    [organization_id, w.clock.now()],
  )
  expect((await owner.account('POST', `${path}/restore`)).status).toBe(400)
})

test('after its 30 days nothing of an organization is left', async () => {
  const made = await owner.account<{ id: string }>('POST', '/account/organizations', {
    name: 'Doomed',
    template: 'hotel',
  })
  await owner.account('DELETE', `/account/organizations/${made.body.id}`)
  w.clock.advance(30 * 24 * 3600 + 1)
  const { context } = w.server
  await purgeOrganizations(context)
  await cleanUp(context)
  const [row] = await context.db.query<{ count: number }>(
    `SELECT (SELECT count(*) FROM members WHERE organization_id = $1) + (SELECT count(*) FROM events WHERE organization_id = $1)
     + (SELECT count(*) FROM organization_users WHERE organization_id = $1)
     + (SELECT count(*) FROM organizations WHERE id = $1 AND name = 'Doomed') AS count`,
    [made.body.id],
  )
  expect(Number(row?.count)).toBe(0)
})

test('an organization that cannot be removed keeps no other from its end', async () => {
  const { context } = w.server
  const found = async (name: string) => {
    const { body } = await owner.account<{ id: string }>('POST', '/account/organizations', { name })
    await owner.account('DELETE', `/account/organizations/${body.id}`)
    return body.id
  }
  const [stuck, doomed] = [await found('Stuck'), await found('Doomed as well')]
  await context.db.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF OLD.organization_id = '${stuck}' THEN RAISE 'not this one'; END IF; RETURN OLD; END $$`,
  )
  await context.db.query(
    'CREATE TRIGGER refuse BEFORE DELETE ON organization_users FOR EACH ROW EXECUTE FUNCTION refuse()',
  )
  w.clock.advance(30 * 24 * 3600 + 1)
  await expect(purgeOrganizations(context)).rejects.toThrow('not this one')
  const left = await context.db.query<{ id: string }>(
    'SELECT organization_id AS id FROM organization_deletions WHERE organization_id = ANY($1::text[])',
    [[stuck, doomed]],
  )
  expect(left).toEqual([{ id: stuck }])
  await context.db.query('DROP TRIGGER refuse ON organization_users')
  await purgeOrganizations(context)
  expect(
    await context.db.query('SELECT 1 FROM organization_deletions WHERE organization_id = $1', [stuck]),
  ).toEqual([])
})

/** Calls the API with the session of a user. */
async function asUser(visitor: Visitor, path: string, body: object): Promise<{ id: string } & object> {
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const session = await fetch(`${url}/account/session`, { headers: { cookie } })
  const { csrf_token } = (await session.json()) as { csrf_token: string }
  const answer = await fetch(`${url}/v2${path}`, {
    method: 'POST',
    headers: {
      cookie,
      'x-csrf-token': csrf_token,
      'x-organization-id': organization_id,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  })
  return (await answer.json()) as { id: string }
}

test('a viewer learns from an access check that a door is locked down, but not by which emergency', async () => {
  // The session of before is over by now.
  await other.signIn('other@example.com', password)
  await join('viewer')
  const site = await asUser(owner, '/sites', { name: 'S', timezone: 'Europe/Madrid' })
  const device = await asUser(owner, '/devices', { name: 'D', site_id: site.id, product_id: 'controller' })
  const gadget = await asUser(owner, '/gadgets', {
    name: 'Door',
    device_id: device.id,
    door: { release_action_id: 'open' },
  })
  const member = await asUser(owner, '/members', {})
  const emergency = await asUser(owner, '/emergencies', {
    type: 'lockdown',
    targets: { gadget_ids: [gadget.id] },
  })
  const question = { member_id: member.id, gadget_id: gadget.id, action_id: 'open' }
  const door = { mode: 'lockdown', source: 'emergency' }
  expect(await asUser(owner, '/access_checks', question)).toMatchObject({
    door: { ...door, emergency_ids: [emergency.id] },
  })
  expect(await asUser(other, '/access_checks', question)).toMatchObject({
    door: { ...door, emergency_ids: [] },
  })
})
