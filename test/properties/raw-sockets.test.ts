import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ErrorBody, errorTypes } from '@gatehouse-access/api'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../../packages/server/src/http/app.ts'
import { digestTables } from './state.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant
/** The same service with shorter timeouts. */
let hastyPort: number
const logged: string[] = []

beforeAll(async () => {
  w = owned.use(await world())
  tenant = await w.tenant()
  const log = pino({ level: 'error' }, { write: line => logged.push(line) })
  const app = createApp({ ...w.server.context, log }, { request_timeout: 300 })
  owned.defer(() => app.close())
  await app.listen({ host: '127.0.0.1', port: 0 })
  hastyPort = (app.server.address() as AddressInfo).port
})
afterAll(() => owned.disposeAsync())

/** Sends bytes piece by piece. Returns everything received until the service disconnects. */
async function talk(
  pieces: readonly (string | Buffer)[],
  port = Number(new URL(w.url).port),
): Promise<string> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  await once(socket, 'connect')
  const heard = text(socket)
  for (const piece of pieces) {
    socket.write(piece)
    if (pieces.length > 1) await sleep(20)
  }
  return heard
}

function request(line: string, headers: readonly string[] = [], body = ''): string {
  const all = [`Authorization: Bearer ${tenant.token}`, 'Connection: close', ...headers]
  return `${line}\r\n${all.join('\r\n')}\r\n\r\n${body}`
}

function expectError(heard: string, type: ErrorBody['type']): ErrorBody {
  const { status } = errorTypes[type]
  const [head = '', body = ''] = heard.split('\r\n\r\n', 2)
  expect(head.split('\r\n')[0], heard).toMatch(new RegExp(`^HTTP/1\\.1 ${status} \\S`))
  expect(head.toLowerCase(), heard).toMatch(/\r\nx-request-id: req_\w+/)
  expect(head.toLowerCase(), heard).toContain('content-type: application/json; charset=utf-8')
  const parsed: ErrorBody = JSON.parse(body)
  expect(Object.keys(parsed)).toEqual(['type', 'message', 'args'])
  expect(parsed.type, heard).toBe(type)
  return parsed
}

const host = 'Host: localhost'
const json = 'Content-Type: application/json'
const get = 'GET /v2/members HTTP/1.1'
const post = 'POST /v2/members HTTP/1.1'

test.each<[string, ErrorBody['type'], () => (string | Buffer)[]]>([
  ['two Host headers', 'invalid_request', () => [request(get, [host, 'Host: other'])]],
  ['no Host header', 'invalid_request', () => [request(get)]],
  [
    'two Content-Lengths',
    'invalid_request',
    () => [request(post, [host, json, 'Content-Length: 2', 'Content-Length: 3'], '{}')],
  ],
  [
    'a Content-Length that is no number',
    'invalid_request',
    () => [request(post, [host, json, 'Content-Length: x'], '{}')],
  ],
  [
    'a length and chunks',
    'invalid_request',
    () => [request(post, [host, json, 'Content-Length: 2', 'Transfer-Encoding: chunked'], '0\r\n\r\n')],
  ],
  [
    'broken chunks',
    'invalid_request',
    () => [request(post, [host, json, 'Transfer-Encoding: chunked'], 'zz\r\n{}\r\n')],
  ],
  [
    'an unknown transfer coding',
    'invalid_request',
    () => [request(post, [host, json, 'Transfer-Encoding: gzip'], '{}')],
  ],
  ['no HTTP at all', 'invalid_request', () => ['hello\r\n\r\n']],
  ['bytes', 'invalid_request', () => [Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0xff, 0x0d, 0x0a])]],
  ['HTTP/2', 'invalid_request', () => ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n']],
  ['an unknown version', 'invalid_request', () => ['GET / HTTP/9.9\r\n\r\n']],
  ['a header without a name', 'invalid_request', () => [request(get, [host, ': x'])]],
  ['a NUL in a header', 'invalid_request', () => [request(get, [host, 'X-A: a\0b'])]],
  ['a NUL in the path', 'invalid_request', () => [request('GET /v2/\0 HTTP/1.1', [host])]],
  ['a broken escape in the path', 'invalid_request', () => [request('GET /v2/members/%zz HTTP/1.1', [host])]],
  [
    'a half escape in the path',
    'invalid_request',
    () => [request('GET /v2/members/%E0%A4 HTTP/1.1', [host])],
  ],
  [
    'a broken escape in the query',
    'invalid_request',
    () => [request('GET /v2/members?q=%zz HTTP/1.1', [host])],
  ],
  ['a long path', 'uri_too_long', () => [request(`GET /v2/members/${'x'.repeat(9000)} HTTP/1.1`, [host])]],
  ['a long query', 'uri_too_long', () => [request(`GET /v2/members?q=${'x'.repeat(9000)} HTTP/1.1`, [host])]],
  [
    'a path beyond the buffer',
    'uri_too_long',
    () => [request(`GET /v2/members/${'x'.repeat(40_000)} HTTP/1.1`, [host])],
  ],
  ['one large header', 'headers_too_large', () => [request(get, [host, `X-A: ${'x'.repeat(20_000)}`])]],
  ['many headers', 'headers_too_large', () => [request(get, [host, ...Array(3000).fill('X-A: b')])]],
  ['a large body', 'body_too_large', () => [request(post, [host, json, 'Content-Length: 1048577'], '{')]],
  [
    'an endless body',
    'body_too_large',
    () => [
      request(post, [host, json, 'Transfer-Encoding: chunked']),
      ...Array(20).fill(`10000\r\n${'x'.repeat(65_536)}\r\n`),
    ],
  ],
  [
    'a body without a type',
    'unsupported_media_type',
    () => [request(post, [host, 'Content-Length: 2'], '{}')],
  ],
  ['a tunnel', 'method_not_allowed', () => [request('CONNECT localhost:1 HTTP/1.1', [host])]],
  ['a strange method', 'method_not_allowed', () => [request('PROPFIND /v2/members HTTP/1.1', [host])]],
  [
    'a known method on the wrong path',
    'method_not_allowed',
    () => [request('PUT /v2/members HTTP/1.1', [host])],
  ],
  ['the server as a whole', 'not_found', () => [request('OPTIONS * HTTP/1.1', [host])]],
  ['an unknown path', 'not_found', () => [request('GET /v2/nothing HTTP/1.1', [host])]],
  [
    'an unknown expectation',
    'invalid_request',
    () => [request('GET /v2/members?limit=x HTTP/1.1', [host, 'Expect: tea'])],
  ],
])('%s', async (_name, type, pieces) => {
  const { db } = w.server.context
  const before = await digestTables(db)
  expectError(await talk(pieces()), type)
  expect(await digestTables(db)).toEqual(before)
})

test.each<[string, () => (string | Buffer)[]]>([
  ['nothing', () => ['GET']],
  ['half a header', () => [`${get}\r\nHost: loc`]],
  ['headers drop by drop', () => [`${get}\r\n`, ...Array.from({ length: 30 }, () => 'X-A: b\r\n')]],
  ['half a body', () => [request(post, [host, json, 'Content-Length: 20'], '{"name":')]],
])('a request that is too slow: %s', async (_name, pieces) => {
  expectError(await talk(pieces(), hastyPort), 'request_timeout')
})

test.each([
  ['an endpoint', get, '200 OK'],
  ['an unknown path', 'GET /v2/nothing HTTP/1.1', '404 Not Found'],
])('%s cannot become a WebSocket: it answers as ever, and hangs up', async (_name, line, status) => {
  const asked = [host, `Authorization: Bearer ${tenant.token}`, 'Connection: Upgrade', 'Upgrade: websocket']
  const heard = await talk([`${line}\r\n${asked.join('\r\n')}\r\n\r\n`])
  expect(heard).toMatch(new RegExp(`^HTTP/1\\.1 ${status}\r\n`))
  expect(() => JSON.parse(heard.split('\r\n\r\n')[1] as string)).not.toThrow()
})

test('a client that goes away in the middle of its body is no fault of ours', async () => {
  const socket = connect(hastyPort, '127.0.0.1')
  socket.write(request(post, [host, json, 'Content-Length: 20'], '{"name":'))
  await sleep(50)
  socket.destroy()
  await sleep(50)
  expect(logged).toEqual([])
})
