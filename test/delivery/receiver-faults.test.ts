import type { Respond } from '@gatehouse-access/testkit'
import { type Receiver, receiver, type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

let w: World

beforeAll(async () => {
  w = await world({ delivery: true })
})
afterAll(() => w[Symbol.asyncDispose]())

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
  [
    'answers 503 with two times to come back at',
    response => response.setHeader('retry-after', ['1', '2']).writeHead(503).end(),
    { status_code: 503, error: null },
  ],
  [
    'answers 503 with a time that is none',
    response => response.writeHead(503, { 'retry-after': '-1, tomorrow' }).end(),
    { status_code: 503, error: null },
  ],
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

/** Runs all failures in parallel, because some take the service's full timeout. */
async function tryAll(): Promise<Tried[]> {
  const tried = await Promise.all(failures.map(([, respond]) => send(respond)))
  const hasTried = async ({ latest }: Tried) => expect((await latest())?.attempts).toHaveLength(1)
  await Promise.all(tried.map(one => vi.waitFor(() => hasTried(one), { timeout: 60_000 })))
  return tried
}

async function send(respond: Respond): Promise<Tried> {
  const { client } = await w.tenant()
  const receiving = await receiver(respond)
  const { id } = await client.webhooks.create({ url: receiving.url, filter })
  await client.members.create({})
  return { receiving, latest: async () => (await client.webhook_deliveries.list(id)).data[0] }
}

interface Tried {
  readonly receiving: Receiver
  latest(): Promise<Delivery | undefined>
}
type Delivery = Awaited<ReturnType<Tenant['client']['webhook_deliveries']['list']>>['data'][number]

describe('a receiver fails', () => {
  let tried: Tried[]
  let first: (Delivery | undefined)[]

  beforeAll(async () => {
    tried = await tryAll()
    first = await Promise.all(tried.map(({ latest }) => latest()))
    for (const { receiving } of tried) receiving.respond = 200
    w.clock.advance(15)
    w.server.context.deliveries.notify()
  })
  afterAll(
    async () => void (await Promise.all(tried.map(({ receiving }) => receiving[Symbol.asyncDispose]()))),
  )

  test.each(failures.map(([what, , logged], index) => [what, logged, index] as const))(
    'and %s: the attempt is logged, the next one succeeds',
    async (_what, logged, index) => {
      expect(first[index]?.attempts).toMatchObject([logged])
      const { latest, receiving } = tried[index] as Tried
      await expect
        .poll(latest)
        .toMatchObject({ status: 'succeeded', attempts: [logged, { status_code: 200 }] })
      expect(receiving.received).toHaveLength(2)
    },
  )
})

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

describe('a receiver says 200', () => {
  let tried: Tried[]

  beforeAll(async () => {
    tried = await Promise.all(successes.map(([, respond]) => send(respond)))
  })
  afterAll(
    async () => void (await Promise.all(tried.map(({ receiving }) => receiving[Symbol.asyncDispose]()))),
  )

  test.each(successes.map(([what], index) => [what, index] as const))(
    'and %s: it has accepted, it is sent once',
    async (_what, index) => {
      const { latest, receiving } = tried[index] as Tried
      await expect
        .poll(latest, { timeout: 30_000 })
        .toMatchObject({ status: 'succeeded', attempts: [{ status_code: 200 }] })
      expect((await latest())?.attempts[0]?.answer?.length ?? 0).toBeLessThanOrEqual(1024)
      w.clock.advance(3600)
      w.server.context.deliveries.notify()
      expect(receiving.received).toHaveLength(1)
    },
  )
})

test('nine receivers that hang do not delay the tenth', async () => {
  const tenant = await w.tenant()
  await using hanging = await receiver(() => {})
  await using sink = await receiver()
  for (let index = 0; index < 9; index++) await tenant.client.webhooks.create({ url: hanging.url, filter })
  await tenant.client.webhooks.create({ url: sink.url, filter })
  const made: number[] = []
  for (let index = 0; index < 100; index++) {
    await tenant.client.members.create({})
    made.push(performance.now())
  }
  const received = await sink.waitFor(100, 60_000)
  // A delivery behind a hanging one would wait for the service's full timeout: 10 seconds.
  const delays = received.map(({ at }, index) => at - (made[index] ?? 0))
  expect(Math.max(...delays)).toBeLessThan(8000)
})
