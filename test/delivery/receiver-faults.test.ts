import type { Respond } from '@gatehouse/testkit'
import { type Receiver, receiver, type Tenant, type World, world } from '@gatehouse/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

let w: World
let tenant: Tenant
let sink: Receiver

beforeAll(async () => {
  w = await world({ delivery: true })
})
afterAll(() => w[Symbol.asyncDispose]())
beforeEach(async () => {
  tenant = await w.tenant()
  sink = await receiver()
})
afterEach(() => sink[Symbol.asyncDispose]())

const filter = [{ object_type: 'member' }]

const failures: [string, Respond, object][] = [
  ['hangs', () => {}, { status_code: null, error: 'timeout' }],
  [
    'resets',
    response => response.socket?.resetAndDestroy(),
    { status_code: null, error: 'connection_closed' },
  ],
  ['closes early', response => response.socket?.end(), { status_code: null, error: 'connection_closed' }],
  ['answers 500', 500, { status_code: 500, error: null }],
  ['answers 301', 301, { status_code: 301, error: null }],
  [
    'answers no HTTP',
    response => response.socket?.end('what?\r\n\r\n'),
    { status_code: null, error: 'invalid_answer' },
  ],
  [
    'answers half of its headers and hangs',
    response => response.socket?.write('HTTP/1.1 200 OK\r\nContent-'),
    { status_code: null, error: 'timeout' },
  ],
]

test.each(failures)(
  'a receiver that %s: the attempt is logged, the next one succeeds',
  async (_what, respond, logged) => {
    sink.respond = respond
    const { id } = await tenant.client.webhooks.create({ url: sink.url, filter })
    await tenant.client.members.create({})
    const latest = async () => (await tenant.client.webhook_deliveries.list(id)).data[0]
    await expect.poll(async () => (await latest())?.attempts.length, { timeout: 15_000 }).toBe(1)
    expect((await latest())?.attempts[0]).toMatchObject(logged)
    sink.respond = 200
    w.clock.advance(15)
    w.server.context.deliveries.ring()
    await expect.poll(latest).toMatchObject({ status: 'succeeded', attempts: [logged, { status_code: 200 }] })
    expect(sink.received).toHaveLength(2)
  },
)

const successes: [string, Respond][] = [
  [
    'streams an endless body',
    response => {
      response.writeHead(200)
      const pour = () => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      }
      response.on('drain', pour)
      pour()
    },
  ],
  ['drips a body that never ends', response => void response.writeHead(200).write('slow')],
  [
    'breaks off in the body',
    response =>
      void response.writeHead(200, { 'content-length': 100 }).write('cut', () => response.destroy()),
  ],
  [
    'answers with NUL and half a character',
    response => response.writeHead(200).end(Buffer.from([0, 0xe2, 0x82, 65])),
  ],
]

test.each(successes)('a receiver that says 200 and %s has accepted: sent once', async (_what, respond) => {
  sink.respond = respond
  const { id } = await tenant.client.webhooks.create({ url: sink.url, filter })
  await tenant.client.members.create({})
  const latest = async () => (await tenant.client.webhook_deliveries.list(id)).data[0]
  await expect
    .poll(latest, { timeout: 15_000 })
    .toMatchObject({ status: 'succeeded', attempts: [{ status_code: 200 }] })
  expect((await latest())?.attempts[0]?.answer?.length ?? 0).toBeLessThanOrEqual(1024)
  w.clock.advance(3600)
  w.server.context.deliveries.ring()
  expect(sink.received).toHaveLength(1)
})

test('nine receivers that hang do not delay the tenth', async () => {
  await using hanging = await receiver(() => {})
  for (let index = 0; index < 9; index++) await tenant.client.webhooks.create({ url: hanging.url, filter })
  await tenant.client.webhooks.create({ url: sink.url, filter })
  const begin = performance.now()
  for (let index = 0; index < 100; index++) await tenant.client.members.create({})
  await sink.waitFor(100)
  expect(performance.now() - begin).toBeLessThan(5000)
})
