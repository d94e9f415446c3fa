import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createApp } from '../../packages/server/src/http/app.ts'

/** Milliseconds of a span, which is 30 seconds in the service. */
const span = 1500
const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant
let port: number
const logged: string[] = []

beforeAll(async () => {
  w = owned.use(await world({ rate_limit: 0 }))
  const log = pino({ level: 'error' }, { write: line => logged.push(line) })
  const app = createApp({ ...w.server.context, log }, { request_timeout: span })
  owned.defer(() => app.close())
  await app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.server.address() as AddressInfo).port
})
beforeEach(async () => {
  tenant = await w.tenant()
})
afterAll(() => owned.disposeAsync())

const head = 'external_id,note\n'
/** What has to come in a span, and somewhat more. */
const line = `A,${'x'.repeat(600 * 1024)}\n`

async function begin({ token }: Tenant, length: number, path = 'imports'): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  owned.defer(() => void socket.destroy())
  await once(socket, 'connect')
  const mapping = encodeURIComponent('{"note":null}')
  socket.write(
    [
      `POST /v2/${path}?dry_run=true&mapping=${mapping} HTTP/1.1`,
      'host: localhost',
      `authorization: Bearer ${token}`,
      'content-type: text/csv',
      `content-length: ${length}`,
      'connection: close',
      '\r\n',
    ].join('\r\n'),
  )
  return socket
}

/** Sends a head and lines, some in each span until the rest may come at once, and returns what is answered. */
async function upload(of: Tenant, lines: number, in_span = 2, rest?: AbortSignal): Promise<string> {
  const socket = await begin(of, head.length + lines * line.length)
  const answer = text(socket)
  socket.write(head)
  for (let sent = 0; sent < lines && socket.writable; sent++) {
    socket.write(line)
    await sleep(span / in_span, undefined, { signal: rest }).catch(() => {})
  }
  return answer
}

test('an upload that keeps coming may take longer than other requests', async () => {
  expect(await upload(tenant, 4)).toMatch(/^HTTP\/1\.1 200 /)
})

test('one that comes too slowly is ended, and leaves nothing', async () => {
  const socket = await begin(tenant, 10_000)
  const answer = text(socket)
  const drip = setInterval(() => socket.write('x'), span / 10)
  expect(await answer).toMatch(/^HTTP\/1\.1 408 .*request_timeout/s)
  clearInterval(drip)
  const { db } = w.server.context
  const left = () => db.query('SELECT 1 FROM job_inputs WHERE organization_id = $1', [tenant.organization_id])
  await expect.poll(left).toEqual([])
  expect(logged).toEqual([])
})

test('no other request may take as long', async () => {
  const socket = await begin(tenant, 1_000_000, 'members')
  const answer = text(socket)
  const flow = setInterval(() => socket.write('x'.repeat(60_000)), span / 10)
  expect(await answer).toMatch(/^HTTP\/1\.1 408 /)
  clearInterval(flow)
})

test('two slow uploads of an organization keep neither its quick ones nor those of others from coming', async () => {
  const other = await w.tenant()
  const refused = new AbortController()
  const keepComing = () => upload(tenant, 40, 5, refused.signal)
  const slow = Promise.all([keepComing(), keepComing()])
  await sleep(1.5 * span)
  const [third, ...quick] = await Promise.all([upload(tenant, 5), upload(tenant, 1), upload(other, 1)])
  refused.abort()
  for (const answer of [...(await slow), ...quick]) expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  expect(third).toMatch(/^HTTP\/1\.1 408 /)
})
