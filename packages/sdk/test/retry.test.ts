import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient } from '@gatehouse-access/sdk'
import { expect, test } from 'vitest'
import { ApiError } from '../src/api-error.ts'
import { delayBefore } from '../src/retry.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A server that responds to each request with the next of `answers`, and repeats the last. */
async function serve(...answers: Answer[]) {
  const seen: IncomingMessage[] = []
  const server = createServer((request, response) => {
    const answer = answers[Math.min(seen.push(request), answers.length) - 1]
    answer?.(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`
  const client = createClient({ base_url, token: 'x', timeout: 2000 })
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { client, seen, [Symbol.dispose]: close }
}

const drop: Answer = request => request.socket.destroy()
const hang: Answer = () => {}
const good: Answer = (_request, response) => response.end('{"id":"mem_1"}')
const fail =
  (status: number, type: string, headers = {}): Answer =>
  (_request, response) =>
    response.writeHead(status, headers).end(JSON.stringify({ type, message: type, args: {} }))

const passing: [string, Answer][] = [
  ['a dropped connection', drop],
  ['a slow answer', hang],
  ['429', fail(429, 'rate_limited', { 'retry-after': '0' })],
  ['503', fail(503, 'unavailable')],
  ['409 still running', fail(409, 'idempotency_in_progress')],
]

test.each(passing)('%s is tried again with the same key', async (_name, answer) => {
  using service = await serve(answer, answer, good)
  await expect(service.client.members.create({ name: 'x' })).resolves.toEqual({ id: 'mem_1' })
  const keys = service.seen.map(({ headers }) => headers['idempotency-key'])
  expect(keys).toHaveLength(3)
  expect(new Set(keys).size).toBe(1)
})

test('two calls have two keys, and a given key is kept', async () => {
  using service = await serve(good)
  await service.client.members.create()
  await service.client.members.create()
  await service.client.members.create({}, { idempotency_key: 'mine' })
  const keys = service.seen.map(({ headers }) => headers['idempotency-key'])
  expect(new Set(keys).size).toBe(3)
  expect(keys[2]).toBe('mine')
})

test.each([
  [400, 'invalid_request'],
  [409, 'hardware_offline'],
  [504, 'hardware_timeout'],
  [500, 'internal'],
])('%i %s is not tried again', async (status, type) => {
  using service = await serve(fail(status, type), good)
  await expect(service.client.members.get('mem_1')).rejects.toMatchObject({ status, type })
  expect(service.seen).toHaveLength(1)
})

test('an edit under If-Match is not repeated when its fate is unknown', async () => {
  using service = await serve(drop, good)
  const edit = service.client.members.edit('mem_1', { name: 'x' }, { if_match: '"x"' })
  await expect(edit).rejects.toMatchObject({ name: 'ConnectionError' })
  await expect(service.client.members.edit('mem_1', { name: 'x' })).resolves.toBeTruthy()
})

test('the caller can stop it, also between two tries', async () => {
  using service = await serve(fail(503, 'unavailable', { 'retry-after': '60' }))
  const signal = AbortSignal.timeout(100)
  await expect(service.client.members.get('mem_1', { signal })).rejects.toMatchObject({
    name: 'TimeoutError',
  })
})

test('an answer that is not of the service is an error of its own', async () => {
  using service = await serve((_request, response) => response.writeHead(502).end('<html>'))
  await expect(service.client.members.get('mem_1')).rejects.toMatchObject({ status: 502, type: 'unknown' })
})

test('waits double, are spread, and last at least as long as the service asks', () => {
  const answer = (after: string) =>
    new ApiError(new Response('', { status: 503, headers: { 'retry-after': after } }), {})
  expect(delayBefore(0, undefined, 1)).toBe(200)
  expect(delayBefore(3, undefined, 1)).toBe(1600)
  expect(delayBefore(3, undefined, 0)).toBe(800)
  expect(delayBefore(20, undefined, 1)).toBe(10_000)
  expect(delayBefore(0, answer('7'))).toBe(7000)
  expect(delayBefore(0, answer(new Date(Date.now() + 5000).toUTCString()))).toBeGreaterThan(3000)
})
