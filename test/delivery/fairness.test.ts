import {
  type Receiver,
  receiver,
  soak,
  type Tenant,
  type World,
  within,
  world,
} from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'

const filter = [{ object_type: 'member' }]
const webhooks = 100
const events = 100

async function subscribe({ client }: Tenant, sink: Receiver, count: number): Promise<void> {
  const create = () => client.webhooks.create({ url: sink.url, filter })
  await Promise.all(Array.from({ length: count }, create))
}

async function writeEvents({ server }: World, { organization_id }: Tenant, count: number): Promise<void> {
  await server.context.db.query(
    `INSERT INTO events (id, organization_id, subject, verb, object, created_at, recorded_at, clock_adjusted)
     SELECT 'evt_' || lpad(n::text, 20, '0'), $1, '{}', 'create', '{"type":"member"}', now(), now(), false FROM generate_series(1, $2::integer) n`,
    [organization_id, count],
  )
  server.context.db.afterCommit('events_written')
}

test('a tenant with a backlog of 10,000 deliveries does not delay another', within(120), async () => {
  await using w = await world({ delivery: true })
  const [large, small] = [await w.tenant(), await w.tenant()]
  // Slow enough that the backlog outlasts the test, and wide enough to fill every slot that one tenant may
  // use.
  await using crowd = await receiver(response => void setTimeout(() => response.writeHead(200).end(), 1200))
  await using sink = await receiver()
  await subscribe(large, crowd, webhooks)
  await subscribe(small, sink, 1)
  await writeEvents(w, large, events)
  await crowd.waitFor(500, 60_000)
  const waits: number[] = []
  for (let count = 1; count <= 20; count++) {
    const begin = performance.now()
    await small.client.members.create({})
    await sink.waitFor(count, 20_000)
    waits.push(performance.now() - begin)
  }
  // With 256 slots and 1,200 ms per attempt, the backlog takes 47 seconds. Deliveries queued behind it would
  // show that delay.
  expect(crowd.received.length).toBeLessThan(webhooks * events)
  console.log(`quickest ${Math.min(...waits).toFixed(0)} ms, longest ${Math.max(...waits).toFixed(0)} ms`)
  expect(Math.min(...waits)).toBeLessThan(1000)
  expect(Math.max(...waits)).toBeLessThan(20_000)
})

soak(
  'receivers that are down share 200 attempts a second of their organization, each in its turn',
  async () => {
    await using w = await world({ delivery: true })
    const tenant = await w.tenant()
    await using down = await receiver(500)
    const paths = ['/1', '/2', '/3', '/4']
    for (const path of paths) await tenant.client.webhooks.create({ url: down.url + path, filter })
    await tenant.client.members.create({})
    await down.waitFor(4)
    const areFailing = async () => {
      const rows = await w.server.context.db.query(
        'SELECT 1 FROM webhook_lanes WHERE failing_since IS NOT NULL',
      )
      return rows.length
    }
    await expect.poll(areFailing).toBe(4)
    w.clock.advance(3)
    await writeEvents(w, tenant, 400)
    await down.waitFor(4 + 800)
    const later = down.received.slice(4, 804)
    const seconds = ((later.at(-1)?.at ?? 0) - (later[0]?.at ?? 0)) / 1000
    // Without pacing, the rate is at least twice as high. The limit has a margin, because a stall at the start
    // inflates the measured rate.
    expect(800 / seconds).toBeLessThan(400)
    for (const path of paths) expect(later.filter(each => each.path === path).length).toBeGreaterThan(100)
  },
)
