import { randomBytes, randomUUID } from 'node:crypto'
import { type ClientRequest, request } from 'node:http'
import { holdTables, type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { addController, building } from '../devices/building.ts'
import { ScriptedDevice } from '../devices/scripted-device.ts'

let w: World
let crowded: Tenant
let other: Tenant

beforeAll(async () => {
  w = await world()
  crowded = await w.tenant()
  other = await w.tenant()
})
afterAll(() => w[Symbol.asyncDispose]())
// Caches the token lookup before a test holds anything.
beforeEach(async () => void (await other.client.sites.list()))

async function inLane(lane: string, which: 'in_flight' | 'waiting'): Promise<number> {
  const text = await (await fetch(`${w.url}/metrics`)).text()
  return Number(new RegExp(`gatehouse_turns_${which}\\{lane="${lane}"\\} (\\d+)`).exec(text)?.[1])
}

/** Sends a few small requests while the crowd waits. */
async function askBeside(): Promise<number[]> {
  const statuses: number[] = []
  for (let index = 0; index < 5; index++) {
    const authorization = `Bearer ${other.token}`
    const made = { method: 'POST', body: JSON.stringify({ name: 'Tag' }) }
    // With an idempotency key, the request takes a transaction.
    const headers = {
      authorization,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    }
    statuses.push((await fetch(`${w.url}/v2/sites`, { headers: { authorization } })).status)
    statuses.push((await fetch(`${w.url}/v2/tags`, { headers, ...made })).status)
  }
  return statuses
}
const allServed = Array(10).fill(200)

const mebibyte = 1024 * 1024

/** Announces the length of a body, and sends none of it. */
function announce(tenant: Tenant, bytes: number): { asked: ClientRequest; answer: Promise<number> } {
  const { promise: answer, resolve } = Promise.withResolvers<number>()
  const headers = {
    authorization: `Bearer ${tenant.token}`,
    'content-type': 'application/json',
    'content-length': bytes,
  }
  const asked = request(`${w.url}/v2/member_groups`, { method: 'POST', headers, agent: false }, response => {
    expect(response.headers['retry-after']).toBe('1')
    resolve(response.resume().statusCode ?? 0)
  })
  asked.on('error', () => resolve(0)).flushHeaders()
  return { asked, answer }
}

test('large bodies are bounded together: beyond its share a tenant is refused before it sends', async () => {
  const large = JSON.stringify({ name: 'x'.repeat(mebibyte - 100) })
  const send = async (tenant: Tenant, body: string) => {
    const headers = { authorization: `Bearer ${tenant.token}`, 'content-type': 'application/json' }
    return (await fetch(`${w.url}/v2/member_groups`, { method: 'POST', headers, body })).status
  }
  const slow = Array.from({ length: 12 }, () => announce(crowded, mebibyte))
  const refused = () => Promise.all(slow.map(({ answer }) => Promise.race([answer, undefined])))
  await expect.poll(async () => (await refused()).filter(status => status === 503)).toHaveLength(4)
  expect(await send(crowded, large)).toBe(503)
  expect(await send(crowded, JSON.stringify({ name: 'Small' }))).toBe(200)
  expect(await send(other, large)).toBe(400)
  for (const { asked } of slow) asked.destroy()
  await expect.poll(() => send(crowded, large)).toBe(400)
})

test('devices that come back all at once leave the database to others, and all are welcomed', async () => {
  const place = await building(w, crowded)
  const controllers = await Promise.all(
    Array.from({ length: 24 }, () => addController(w, crowded, place.site.id, 'Controller')),
  )
  const release = await holdTables(w.server.context.db, 'device_connections')
  const devices = await Promise.all(controllers.map(({ credentials }) => ScriptedDevice.open(credentials)))
  for (const device of devices) device.hello()
  expect(await askBeside()).toEqual(allServed)
  await release()
  for (const device of devices) await device.next('welcome', 30_000)
  for (const device of devices) device.socket.terminate()
})

test('devices that prove who they are all at once leave the database to others', async () => {
  const release = await holdTables(w.server.context.db, 'devices')
  const headers = () => ({
    authorization: `Basic ${Buffer.from(`hw_A1B2:${randomBytes(9).toString('hex')}`).toString('base64')}`,
  })
  const sockets = Array.from(
    { length: 60 },
    () => new WebSocket(`${w.url.replace('http', 'ws')}/device/v1/connect`, { headers: headers() }),
  )
  const refusals = sockets.map(socket => new Promise(resolve => socket.on('error', resolve)))
  await expect.poll(() => inLane('device', 'waiting')).toBe(56)
  expect(await askBeside()).toEqual(allServed)
  await release()
  expect(new Set(await Promise.all(refusals.map(async error => String(await error))))).toEqual(
    new Set(['Error: Unexpected server response: 401']),
  )
})

test('who opens a stream, and who has a session, is looked up in a lane of its own', async () => {
  const release = await holdTables(w.server.context.db, 'access_tokens, user_sessions')
  const authorization = `Bearer ${randomBytes(16).toString('hex')}`
  const cookie = `gatehouse_session=${randomBytes(16).toString('hex')}`
  const accept = 'text/event-stream'
  const stream = fetch(`${w.url}/v2/events/stream`, { headers: { authorization, accept } })
  await expect.poll(() => inLane('look_up', 'in_flight')).toBe(1)
  const account = fetch(`${w.url}/account/session`, { headers: { cookie } })
  await expect.poll(() => inLane('look_up', 'in_flight')).toBe(2)
  await release()
  expect([(await stream).status, (await account).status]).toEqual([401, 401])
})
