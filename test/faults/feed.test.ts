import { setTimeout as sleep } from 'node:timers/promises'
import {
  connect,
  type Database,
  migrate,
  openFeed,
  type Pool,
  startEmbedded,
  systemClock,
} from '@gatehouse-access/server'
import { Chance, isSoak, makeDataFolder, quickest, seed } from '@gatehouse-access/testkit'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

const log = pino({ level: 'silent' })
const chance = new Chance(seed)
const organizations = ['org_one', 'org_two', 'org_three']
const cluster = new AsyncDisposableStack()
let postgres: Awaited<ReturnType<typeof startEmbedded>>
let owned: AsyncDisposableStack
let count = 0
/** Of each writer. */
const rounds = isSoak ? 200 : 30

type Feed = Awaited<ReturnType<typeof openFeed>>

beforeAll(async () => {
  const { path } = cluster.use(await makeDataFolder())
  const settings = { synchronous_commit: 'on' }
  postgres = cluster.use(await startEmbedded({ data_dir: path, log, durable: false, settings }))
  await using db = connect(postgres.connection)
  await migrate(db, systemClock.now())
})
afterAll(() => cluster.disposeAsync())

beforeEach(async () => {
  owned = new AsyncDisposableStack()
  await open().query('TRUNCATE events')
})
afterEach(() => owned.disposeAsync())

describe('the feed', () => {
  it('gives every event once and in order, under 12 writers and to readers that restart at random', async () => {
    const db = open(14)
    const feed = await openFeedOver(db)
    const written: string[] = []
    const done = new AbortController()
    const readers = [
      readRestarting(await openFeedOver(open(2)), {}, done.signal),
      readRestarting(feed, { batch: 7 }, done.signal),
      ...organizations.map(id => readRestarting(feed, { organization_id: id }, done.signal)),
    ]
    await Promise.all(Array.from({ length: 12 }, () => writeRandomly(db, written)))
    const stored = await storedOrder(db)
    // The first two readers see every event. The others together see every event once.
    const hasAll = () => readers.reduce((sum, { seen }) => sum + seen.length, 0) >= 3 * stored.length
    await expect.poll(hasAll).toBe(true)
    await sleep(500)
    done.abort()
    await Promise.all(readers.map(({ ended }) => ended))
    const [everything, again, ...each] = readers.map(({ seen }) => seen)
    expect(stored.map(({ id }) => id).sort()).toEqual(written.sort())
    expect(everything).toEqual(stored.map(({ id }) => id))
    expect(again).toEqual(everything)
    for (const [index, organization] of organizations.entries())
      expect(each[index]).toEqual(
        stored.filter(row => row.organization_id === organization).map(({ id }) => id),
      )
  })

  it('waits for a transaction that is still open, and passes it over when it is rolled back', async () => {
    const db = open()
    const feed = await openFeedOver(db)
    const written = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<void>()
    const rolledBack = db
      .transaction(async inner => {
        await writeEvent(inner, 'org_one')
        written.resolve()
        await ended.promise
        throw new Error('changed my mind')
      })
      .catch(() => undefined)
    await written.promise
    const id = await writeEvent(db, 'org_one')
    const next = readNext(feed)
    expect(await Promise.race([next, sleep(300, 'nothing yet')])).toBe('nothing yet')
    ended.resolve()
    await rolledBack
    expect(await next).toBe(id)
  })

  it('tells readers in other processes at once, and within about a second when the notification is lost', async () => {
    const reader = await openFeedOver(open())
    const writer = open()
    await openFeedOver(writer)
    expect(await quickest(500, () => timeNext(reader, writer, true))).toBeLessThan(500)
    expect(await quickest(1300, () => timeNext(reader, writer, false))).toBeLessThan(1300)
  })

  it('goes on after PostgreSQL was restarted, for readers and for notifications', async () => {
    const db = open()
    const reader = await openFeedOver(open())
    await openFeedOver(db)
    const first = await writeEvent(db, 'org_one')
    const done = new AbortController()
    const seen: string[] = []
    const reading = collect(reader, { signal: done.signal }, seen)
    await expect.poll(() => seen).toEqual([first])
    const killed = postgres.pid
    process.kill(killed, 'SIGKILL')
    await expect.poll(() => postgres.pid).not.toBe(killed)
    await expect.poll(() => isThere(db)).toBe(true)
    const second = await writeEvent(db, 'org_one')
    await expect.poll(() => seen).toEqual([first, second])
    done.abort()
    await reading
    await sleep(1000)
    expect(await quickest(500, () => timeNext(reader, db, true))).toBeLessThan(500)
  })

  it('tells of an error that is no absence of PostgreSQL, and goes on when it is mended', async () => {
    const db = open()
    const lines: string[] = []
    const told = pino({ level: 'warn' }, { write: line => void lines.push(line) })
    const reader = owned.use(await openFeed(open(), told))
    await db.query('ALTER TABLE events RENAME TO lost_events')
    const done = new AbortController()
    const seen: string[] = []
    const reading = collect(reader, { signal: done.signal }, seen)
    await expect.poll(() => lines.join(), { timeout: 10_000 }).toContain('the feed cannot be read')
    await db.query('ALTER TABLE lost_events RENAME TO events')
    const id = await writeEvent(db, 'org_one')
    await expect.poll(() => seen, { timeout: 10_000 }).toEqual([id])
    done.abort()
    await reading
  })

  it('puts new events after those of a restored dump, also for a service that already ran', async () => {
    const db = open(2)
    const feed = await openFeedOver(db)
    for (let round = 0; round < 8; round++) await writeEvent(db, 'org_one')
    const position = (await readAll(feed)).at(-1)?.position
    const before = await feedEpoch(db)
    // Simulates a dump from a cluster with a longer life: its transaction ids are ahead of this cluster's.
    await db.query(`UPDATE events SET transaction_id = (transaction_id::text::bigint + 1000000)::text::xid8`)
    await db.query(`UPDATE feed_epoch_marker SET place = 'base/1/1'`)
    const restored = await storedOrder(db)
    const cursor = position?.replace(/\.(\d+)\./, (_all, id) => `.${Number(id) + 1_000_000}.`)
    await migrate(open(1), systemClock.now())
    const epoch = await feedEpoch(db)
    expect(epoch).toBeGreaterThan(before)
    const added = [await writeEvent(db, 'org_one'), await writeEvent(db, 'org_one')]
    const all = await readAll(feed)
    expect(all.map(({ event }) => event.id)).toEqual([...restored.map(({ id }) => id), ...added])
    expect((await readAll(feed, cursor)).map(({ event }) => event.id)).toEqual(added)
    await migrate(open(1), systemClock.now())
    expect(await feedEpoch(db)).toBe(epoch)
  })

  it('refuses cursors that lie ahead, whether their epoch runs, is over or was never there, and names the last event before', async () => {
    const db = open(2)
    const feed = await openFeedOver(db)
    await writeEvent(db, 'org_one')
    const before = await feedEpoch(db)
    const last = (await readAll(feed)).at(-1)?.position as string
    expect(await feed.head()).toBe(last)
    await db.query('DELETE FROM feed_epoch_marker')
    const epoch = await feedEpoch(db)
    await writeEvent(db, 'org_one')
    const [row] = await db.query<{ previous_end: string }>(
      'SELECT previous_end::text AS previous_end FROM feed_epochs WHERE epoch = $1',
      [epoch],
    )
    const end = row?.previous_end
    const answer = (cursor: string) =>
      feed.check(cursor).then(
        () => 'fine',
        ({ type, args }) => `${type} ${args.cursor}`,
      )
    for (const cursor of [`${before}.${end}.1`, `${before + 1_000}.1.1`, `${epoch}.9000000000000000000.1`])
      expect([cursor, await answer(cursor)]).toEqual([cursor, `cursor_ahead ${last}`])
    // A cursor that ends in `.0` stands for no delivered event. It is accepted, because a crash may leave its
    // id slightly ahead.
    for (const cursor of ['0.0.0', last, `${before}.${end}.0`, await feed.head()])
      expect([cursor, await answer(cursor)]).toEqual([cursor, 'fine'])
  })
})

function open(size = 4): Pool {
  return owned.use(connect(postgres.connection, size))
}

async function openFeedOver(db: Pool): Promise<Feed> {
  return owned.use(await openFeed(db, log))
}

async function writeEvent(db: Database, organization: string): Promise<string> {
  const id = `evt_${String(++count).padStart(20, '0')}`
  const now = systemClock.now()
  await db.query(
    `INSERT INTO events (id, organization_id, subject, verb, object, created_at, recorded_at, clock_adjusted)
     VALUES ($1, $2, '{}', 'create', '{"type":"member"}', $3, $3, false)`,
    [id, organization, now],
  )
  return id
}

/**
 * Writes transactions of one to three events. Most are short, some stay open for long, some are rolled back.
 */
async function writeRandomly(db: Pool, written: string[]): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const ids: string[] = []
    const isKept = chance.happens(0.8)
    await db
      .transaction(async inner => {
        for (let events = chance.whole(1, 3); events > 0; events--) {
          ids.push(await writeEvent(inner, chance.pick(organizations)))
          await sleep(chance.happens(0.05) ? chance.whole(200, 799) : chance.whole(0, 11))
        }
        if (!isKept) throw new Error('rolled back')
      })
      .catch(() => undefined)
    if (isKept) written.push(...ids)
    if (chance.happens(2 / 3)) db.afterCommit('events_written')
  }
}

/** Reads until the signal aborts. Stops at random places, and resumes after the last event it took. */
function readRestarting(
  feed: Feed,
  options: { organization_id?: string; batch?: number },
  signal: AbortSignal,
) {
  const seen: string[] = []
  return { seen, ended: takeRestarting(feed, options, signal, seen) }
}

async function takeRestarting(
  feed: Feed,
  options: { organization_id?: string; batch?: number },
  signal: AbortSignal,
  seen: string[],
): Promise<void> {
  let after: string | undefined
  while (!signal.aborted) {
    const restart = AbortSignal.any([signal, AbortSignal.timeout(chance.whole(20, 399))])
    for await (const batch of feed.read({ ...options, after, signal: restart })) {
      const taken = batch.slice(0, chance.whole(1, batch.length))
      for (const { event, position } of taken) {
        seen.push(event.id as string)
        after = position
      }
      if (taken.length < batch.length) break
    }
  }
}

async function collect(feed: Feed, options: { signal: AbortSignal }, seen: string[]): Promise<void> {
  for await (const batch of feed.read(options)) seen.push(...batch.map(({ event }) => event.id as string))
}

async function readNext(feed: Feed, after?: string): Promise<unknown> {
  for await (const batch of feed.read({ after, signal: AbortSignal.timeout(30_000) }))
    return batch[0]?.event.id
}

/** Reads all existing events. Stops half a second after the first batch. */
async function readAll(feed: Feed, after?: string) {
  const all: Awaited<ReturnType<Feed['read']>> extends AsyncGenerator<infer Batch> ? Batch : never = []
  // Waits for the first batch without a timeout, because the machine may be busy.
  const end = new AbortController()
  for await (const batch of feed.read({ after, signal: end.signal })) {
    all.push(...batch)
    setTimeout(() => end.abort(), 500)
  }
  return all
}

/** Measures the delay between an event's commit and its arrival at a waiting reader. */
async function timeNext(reader: Feed, writer: Pool, isNotified: boolean): Promise<number> {
  const next = readNext(reader, await reader.head())
  await sleep(300)
  const id = await writeEvent(open(1), 'org_one')
  if (isNotified) writer.afterCommit('events_written')
  const since = performance.now()
  expect(await next).toBe(id)
  return performance.now() - since
}

async function storedOrder(db: Pool) {
  return db.query<{ id: string; organization_id: string }>(
    'SELECT id, organization_id FROM events ORDER BY epoch, transaction_id, sequence',
  )
}

async function feedEpoch(db: Pool): Promise<number> {
  const [row] = await db.query<{ epoch: number }>('SELECT feed_epoch() AS epoch')
  return Number(row?.epoch)
}

function isThere(db: Pool): Promise<boolean> {
  return db.query('SELECT 1').then(
    () => true,
    () => false,
  )
}
