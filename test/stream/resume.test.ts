import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type Database, type Pool, systemClock } from '@gatehouse-access/server'
import {
  Chance,
  findFreePort,
  manyOr,
  newDatabase,
  openAccess,
  seed,
  startService,
  within,
} from '@gatehouse-access/testkit'
import { expect, inject, test } from 'vitest'
import { WebSocket } from 'ws'
import { newId } from '../../packages/server/src/store/ids.ts'

const chance = new Chance(seed)
const writers = 8
const events = manyOr(2000)
const clients = Math.max(40, Math.ceil(events / 100))
/** Each client is cut off this many times, within a quarter of the events, regardless of the write speed. */
const cuts = 4
const mostBetweenCuts = events / 20
/**
 * Excludes the events that created the organization: an open transaction anywhere in the cluster lets a
 * stream start before them.
 */
const filter = [{ object_type: 'member' }]

test(
  `${clients} clients disconnected at random while ${writers} writers write ${events} events: each has every event once, in order`,
  within(120),
  async () => {
    await using owned = new AsyncDisposableStack()
    const { url } = owned.use(await newDatabase(inject('databases')))
    const env = { DATABASE_URL: url, GATEHOUSE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }
    const service = owned.use(await startService({ port: await findFreePort(), env }))
    const db = owned.use(connect({ url }, writers + 1))
    const organizations = await Promise.all(Array.from({ length: 4 }, () => openAccess(db)))
    const done = new AbortController()
    owned.defer(() => done.abort())
    const readers = Array.from({ length: clients }, (_, index) =>
      follow(`${service.url}/v2/events/stream`, organizations[index % 4]?.token as string, done.signal),
    )
    await Promise.all(readers.map(({ ready }) => ready))
    const ids = organizations.map(({ organization_id }) => organization_id)
    await Promise.all(Array.from({ length: writers }, () => write(db, ids)))
    const expected = await Promise.all(ids.map(id => storedOrder(db, id)))
    expect(expected.flat()).toHaveLength(events)
    const isBehind = (reader: Reader, index: number) =>
      reader.seen.length < (expected[index % 4]?.length ?? 0)
    await expect.poll(() => readers.filter(isBehind).length, { timeout: 120_000, interval: 500 }).toBe(0)
    await sleep(500)
    for (const [index, { seen }] of readers.entries()) expect(seen).toEqual(expected[index % 4])
    expect(readers.map(({ connections }) => connections())).toEqual(readers.map(() => cuts + 1))
  },
)

type Reader = ReturnType<typeof follow>

/** Connects, is cut off after some events, and resumes from its last cursor. */
function follow(url: string, token: string, done: AbortSignal) {
  const seen: string[] = []
  const { promise: ready, resolve } = Promise.withResolvers<void>()
  let cursor: string | undefined
  let connections = 0
  const read = (data: unknown) => {
    const text = String(data)
    cursor = /"cursor":"([^"]+)"\}$/.exec(text)?.[1] ?? cursor
    const id = /"event":\{"id":"([^"]+)"/.exec(text)?.[1]
    if (id) seen.push(id)
    resolve()
  }
  const run = async () => {
    while (!done.aborted) {
      const isLast = connections++ === cuts
      await listenOnce(
        url,
        token,
        cursor,
        read,
        isLast ? Infinity : chance.whole(1, mostBetweenCuts - 1),
        done,
      )
    }
  }
  void run()
  return { seen, ready, connections: () => connections }
}

async function listenOnce(
  url: string,
  token: string,
  after: string | undefined,
  read: (data: unknown) => void,
  most: number,
  done: AbortSignal,
): Promise<void> {
  const socket = new WebSocket(url.replace('http', 'ws'), { headers: { authorization: `Bearer ${token}` } })
  const ended = new Promise<void>(resolve => {
    socket.once('error', () => setTimeout(resolve, 100))
    socket.once('close', () => resolve())
    done.addEventListener('abort', () => resolve())
  })
  socket.once('open', () =>
    socket.send(JSON.stringify({ type: 'subscribe', filter, ...(after && { after }) })),
  )
  socket.on('message', read)
  let left = most
  const cut = new Promise<void>(resolve =>
    socket.on('message', () => {
      if (--left <= 0) resolve()
    }),
  )
  await Promise.race([ended, cut])
  socket.off('message', read)
  socket.terminate()
}

async function write(db: Pool, organizations: readonly string[]): Promise<void> {
  for (let left = events / writers; left > 0; ) {
    const size = Math.min(left, chance.whole(1, 5))
    left -= size
    await db.transaction(async inner => {
      for (let index = 0; index < size; index++) await insertEvent(inner, chance.pick(organizations))
      if (chance.happens(0.05)) await sleep(chance.whole(0, 9))
    })
    await db.query(`SELECT pg_notify('gatehouse_events', '')`)
  }
}

async function insertEvent(db: Database, organization_id: string): Promise<void> {
  const now = systemClock.now()
  await db.query(
    `INSERT INTO events (id, organization_id, subject, verb, object, created_at, recorded_at, clock_adjusted)
     VALUES ($1, $2, '{}', 'create', '{"type":"member"}', $3, $3, false)`,
    [newId('event', now), organization_id, now],
  )
}

async function storedOrder(db: Pool, organizationId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT id FROM events WHERE organization_id = $1 AND object->>'type' = 'member' ORDER BY epoch, transaction_id, sequence`,
    [organizationId],
  )
  return rows.map(({ id }) => id)
}
