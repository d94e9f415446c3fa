import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import { listSessions } from '../../packages/server/src/services/accounts/sessions.ts'
import { listAllUsers } from '../../packages/server/src/services/organizations/user-administration.ts'
import { found, signUp } from '../oauth/people.ts'
import type { Visitor } from '../oauth/visitor.ts'

let w: World
let owner: Visitor
let organization_id: string

beforeAll(async () => {
  w = await world({ is_reachable: true })
  owner = await signUp(w, 'owner@example.com')
  organization_id = await found(owner)
})
afterAll(() => w[Symbol.asyncDispose]())

async function call(visitor: Visitor, method: string, path: string, body?: object) {
  const { body: session } = await visitor.account<{ csrf_token: string }>('GET', '/account/session')
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const answer = await fetch(`${visitor.url}/v2${path}`, {
    method,
    headers: {
      cookie,
      'x-csrf-token': session.csrf_token,
      'x-organization-id': organization_id,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return (await answer.json()) as Record<string, string>
}

interface Stream {
  readonly messages: { type: string; event?: { verb: string; object: { type: string } } }[]
  readonly closed: Promise<number>
}

async function open(visitor: Visitor): Promise<Stream> {
  const { ticket } = await call(visitor, 'POST', '/events/stream_tickets')
  const socket = new WebSocket(`${visitor.url.replace('http', 'ws')}/v2/events/stream?ticket=${ticket}`)
  const messages: Stream['messages'] = []
  socket.on('message', data => messages.push(JSON.parse(String(data))))
  const closed = new Promise<number>(resolve => socket.on('close', resolve))
  socket.on('error', () => undefined)
  socket.on('open', () => socket.send(JSON.stringify({ type: 'subscribe' })))
  return { messages, closed }
}

test('a user who is signed in streams the events of its organization', async () => {
  const stream = await open(owner)
  await expect.poll(() => stream.messages[0]?.type).toBe('ready')
  await call(owner, 'POST', '/members', { name: 'Ada' })
  await expect.poll(() => stream.messages.some(({ event }) => event?.object.type === 'member')).toBe(true)
})

test('the cookie alone opens nothing, and a ticket opens one stream', async () => {
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const { ticket } = await call(owner, 'POST', '/events/stream_tickets')
  const url = `${owner.url.replace('http', 'ws')}/v2/events/stream`
  const status = (address: string) =>
    new Promise(resolve => {
      const socket = new WebSocket(address, { headers: { cookie } })
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode))
      socket.on('open', () => {
        socket.close()
        resolve('open')
      })
      socket.on('error', () => undefined)
    })
  expect(await status(url)).toBe(401)
  expect(await status(`${url}?ticket=${ticket}`)).toBe('open')
  expect(await status(`${url}?ticket=${ticket}`)).toBe(401)
})

async function invited(
  email: string,
  position: object = { role: 'viewer' },
): Promise<{ visitor: Visitor; user_id: string }> {
  const visitor = await signUp(w, email)
  await owner.account('POST', `/account/organizations/${organization_id}/invitations`, {
    email,
    ...position,
  })
  const { body } = await visitor.account<{ data: { id: string }[] }>('GET', '/account/invitations')
  await visitor.account('POST', `/account/invitations/${body.data[0]?.id}/accept`)
  const { body: session } = await visitor.account<{ user: { id: string } }>('GET', '/account/session')
  return { visitor, user_id: session.user.id }
}

test('the stream ends when an administrator signs the user out, and a ticket from before opens none', async () => {
  const { visitor, user_id } = await invited('away@example.com')
  const stream = await open(visitor)
  await expect.poll(() => stream.messages[0]?.type).toBe('ready')
  const { ticket } = await call(visitor, 'POST', '/events/stream_tickets')
  w.clock.advance(1)
  await owner.account('POST', `/account/organizations/${organization_id}/users/${user_id}/sign_out`)
  expect(await stream.closed).toBe(4001)
  const answer = await fetch(`${w.url}/v2/events/stream?ticket=${ticket}`, {
    headers: { accept: 'text/event-stream' },
  })
  expect(answer.status).toBe(401)
  await answer.body?.cancel()
})

const streaming = ['front_desk', 'site_administrator', 'site_viewer']

test.each(streaming)('a %s streams the events of its sites, until it has others', async role => {
  const doors = await Promise.all(['Here', 'There'].map(addDoor))
  const [here, there] = doors
  const desk = await invited(`${role}@example.com`, { role, site_ids: [here?.site_id] })
  const stream = await open(desk.visitor)
  await expect.poll(() => stream.messages[0]?.type).toBe('ready')
  for (const { gadget_id } of [there, here] as Door[])
    await call(owner, 'PATCH', `/gadgets/${gadget_id}`, { name: 'Renamed' })
  await call(owner, 'POST', '/members', { name: 'Ada' })
  await call(owner, 'PATCH', `/sites/${here?.site_id}`, { info: 'The last one' })
  const last = { type: 'site', site_id: here?.site_id }
  await expect.poll(() => stream.messages.at(-1)?.event).toMatchObject({ verb: 'edit', object: last })
  // What was created just before may still arrive.
  const seen = stream.messages.flatMap(({ event }) => (event?.verb === 'edit' ? [event.object] : []))
  expect(seen).toMatchObject([{ type: 'gadget', gadget_id: here?.gadget_id }, last])
  expect(JSON.stringify(stream.messages)).not.toMatch(/The last one|There|Ada/)
  const seat = { role, site_ids: [there?.site_id] }
  await owner.account('PATCH', `/account/organizations/${organization_id}/users/${desk.user_id}`, seat)
  expect(await stream.closed).toBe(4001)
})

interface Door {
  readonly site_id: string
  readonly gadget_id: string
}

async function addDoor(name: string): Promise<Door> {
  const { id: site_id = '' } = await call(owner, 'POST', '/sites', { name, timezone: 'Europe/Madrid' })
  const { id: device_id = '' } = await call(owner, 'POST', '/devices', {
    ...{ name, site_id, product_id: 'controller' },
  })
  const { id: gadget_id = '' } = await call(owner, 'POST', '/gadgets', {
    ...{ name, device_id, actions: [{ id: 'open', name: 'Open' }] },
  })
  return { site_id, gadget_id }
}

test('the stream ends when the organization asks for a second factor that the session lacks', async () => {
  const { visitor } = await invited('weak@example.com')
  const stream = await open(visitor)
  await expect.poll(() => stream.messages[0]?.type).toBe('ready')
  const { db } = w.server.context
  await db.query(
    'INSERT INTO organization_security (organization_id, requires_second_factor) VALUES ($1, true)',
    [organization_id],
  )
  expect(await stream.closed).toBe(4001)
  await db.query('DELETE FROM organization_security WHERE organization_id = $1', [organization_id])
})

test('the stream ends with the session, and with the place in the organization', async () => {
  const viewer = await signUp(w, 'viewer@example.com')
  await owner.account('POST', `/account/organizations/${organization_id}/invitations`, {
    email: 'viewer@example.com',
    role: 'viewer',
  })
  const { body } = await viewer.account<{ data: { id: string }[] }>('GET', '/account/invitations')
  await viewer.account('POST', `/account/invitations/${body.data[0]?.id}/accept`)
  const removed = await open(viewer)
  await expect.poll(() => removed.messages[0]?.type).toBe('ready')
  const { body: session } = await viewer.account<{ user: { id: string } }>('GET', '/account/session')
  await owner.account('DELETE', `/account/organizations/${organization_id}/users/${session.user.id}`)
  expect(await removed.closed).toBe(4001)
  const ended = await open(owner)
  await expect.poll(() => ended.messages[0]?.type).toBe('ready')
  await owner.get('/security')
  await owner.submit('/sign-out', {})
  expect(await ended.closed).toBe(4001)
})

test('the stream ends a day after the last use of its session, which is then no longer listed', async () => {
  const { context } = w.server
  const idle = await signUp(w, 'idle@example.com')
  organization_id = await found(idle)
  const { body: session } = await idle.account<{ user: { id: string } }>('GET', '/account/session')
  const stream = await open(idle)
  await expect.poll(() => stream.messages[0]?.type).toBe('ready')
  const { ticket } = await call(idle, 'POST', '/events/stream_tickets')
  w.clock.advance(24 * 3600 + 120)
  expect(await stream.closed).toBe(4001)
  const answer = await fetch(`${w.url}/v2/events/stream?ticket=${ticket}`, {
    headers: { accept: 'text/event-stream' },
  })
  expect(answer.status).toBe(401)
  await answer.body?.cancel()
  expect(await listSessions(context, session.user.id)).toEqual([])
  const listed = await listAllUsers(context)
  expect(listed.find(({ id }) => id === session.user.id)?.sessions).toBe(0)
})
