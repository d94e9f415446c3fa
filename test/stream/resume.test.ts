import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '@gatehouse/server'
import { type Tenant, type World, world } from '@gatehouse/testkit'
import { expect, test } from 'vitest'
import { newId } from '../../packages/server/src/ids.ts'
import { StreamClient } from './stream-client.ts'

const clients = 200
const writers = 8
const events = 20_000

test('200 clients disconnected at random while 8 writers write 20,000 events: each has every event once, in order', {
  timeout: 300_000,
}, async () => {
  await using w = await world()
  const tenants = [await w.tenant(), await w.tenant()]
  const tokens = await Promise.all(
    tenants.map(tenant => Promise.all([1, 2].map(() => tenant.tokenWith(['full_read_only'])))),
  )
  const done = new AbortController()
  const readers = Array.from({ length: clients }, (_, index) => {
    const token = tokens[index % 2]?.[Math.floor(index / 2) % 2] as string
    return follow(`${w.url}/v2/events/stream`, token, done.signal)
  })
  await Promise.all(readers.map(({ ready }) => ready))
  await Promise.all(Array.from({ length: writers }, () => write(w, tenants)))
  const expected = await Promise.all(tenants.map(tenant => storedOrder(w, tenant)))
  expect(expected.flat()).toHaveLength(events)
  const isComplete = () =>
    readers.every((reader, index) => reader.seen.length >= (expected[index % 2]?.length ?? 0))
  await expect.poll(isComplete, { timeout: 120_000, interval: 500 }).toBe(true)
  await sleep(500)
  done.abort()
  let reconnects = 0
  for (const [index, reader] of readers.entries()) {
    reconnects += reader.reconnects()
    expect(reader.seen).toEqual(expected[index % 2])
  }
  expect(reconnects).toBeGreaterThan(clients)
})

/** Connects, is cut off after a while, and goes on from its last cursor. */
function follow(url: string, token: string, signal: AbortSignal) {
  const seen: string[] = []
  const { promise: ready, resolve } = Promise.withResolvers<void>()
  let cursor: string | undefined
  let count = -1
  const run = async () => {
    while (!signal.aborted) {
      const client = new StreamClient(url, token)
      client.socket.on('message', data => {
        const message = JSON.parse(String(data))
        if (message.type === 'error') throw new Error(message.error.message)
        cursor = message.cursor
        if (message.event) seen.push(message.event.id)
        resolve()
      })
      await client.subscribe(cursor === undefined ? {} : { after: cursor }).catch(() => undefined)
      count++
      await ready
      const cut = sleep(randomInt(500, 15_000), undefined, { signal }).catch(() => undefined)
      await Promise.race([cut, client.closed])
      client.socket.removeAllListeners('message')
      client.socket.terminate()
    }
  }
  void run()
  return { seen, ready, reconnects: () => count }
}

async function write(w: World, tenants: readonly Tenant[]): Promise<void> {
  const { db, feed } = w.server.context
  for (let left = events / writers; left > 0; ) {
    const size = Math.min(left, randomInt(1, 6))
    left -= size
    await db.transaction(async inner => {
      for (let index = 0; index < size; index++)
        await insertEvent(inner, tenants[randomInt(2)] as Tenant, w.clock.now())
      if (randomInt(20) === 0) await sleep(randomInt(10))
    })
    feed.wake()
  }
}

async function insertEvent(db: Database, tenant: Tenant, now: string): Promise<void> {
  await db.query(
    `INSERT INTO events (id, organization_id, subject, verb, object, created_at, recorded_at, clock_adjusted)
     VALUES ($1, $2, '{}', 'create', '{"type":"member"}', $3, $3, false)`,
    [newId('event', now), tenant.organization_id, now],
  )
}

/** Without the events that made the organization, which came before the streams. */
async function storedOrder(w: World, { organization_id }: Tenant): Promise<string[]> {
  const rows = await w.server.context.db.query<{ id: string }>(
    `SELECT id FROM events WHERE organization_id = $1 AND object->>'type' = 'member' ORDER BY epoch, transaction_id, sequence`,
    [organization_id],
  )
  return rows.map(({ id }) => id)
}
