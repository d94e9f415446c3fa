import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type Pool } from '@gatehouse-access/server'
import { cloneDatabase, within } from '@gatehouse-access/testkit'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { type Network, openNetwork } from './network.ts'

let owned: AsyncDisposableStack
let url: string
let network: Network

beforeEach(async () => {
  owned = new AsyncDisposableStack()
  url = owned.use(await cloneDatabase(inject('databases'))).url
  network = owned.use(await openNetwork(url))
})
afterEach(() => owned.disposeAsync())

function open(size = 4): Pool {
  return owned.use(connect({ url: network.url }, size, { silence: 1000, connect_timeout: 2000 }))
}

const answers = (db: Pool) =>
  db.query('SELECT 1 AS one').then(
    () => true,
    () => false,
  )

describe('a pool', within(60), () => {
  it('gives up connections whose packets are swallowed, and works again as soon as the path does', async () => {
    const db = open()
    await Promise.all(Array.from({ length: 40 }, () => db.query('SELECT pg_sleep(0.05)')))
    network.swallow()
    const asked = [
      ...Array.from({ length: 40 }, () => db.query('SELECT 1')),
      db.transaction(inner => inner.query('SELECT 1')),
    ]
    const outcomes = await Promise.allSettled(asked)
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']))
    const since = performance.now()
    expect(await answers(db)).toBe(false)
    expect(performance.now() - since).toBeLessThan(1000)
    network.heal()
    await expect.poll(() => answers(db), { timeout: 20_000 }).toBe(true)
  })

  it('sends nothing of a statement that cannot be written down, so that its neighbours are answered', async () => {
    const db = open(1)
    await db.query('SELECT 1')
    const values = Array.from({ length: 65_536 }, () => 1)
    const text = `SELECT ${values.map((_, index) => `$${index + 1}::int`).join('+')}`
    const asked = [1, 2, 3].map(number => db.query('SELECT $1::int AS number', [number]))
    await expect(db.query(text, values)).rejects.toThrow(/65535/)
    await expect(db.transaction(inner => inner.query(text, values))).rejects.toThrow(/65535/)
    expect(await Promise.all(asked)).toEqual([1, 2, 3].map(number => [{ number }]))
    expect(await db.query('SELECT 4 AS number')).toEqual([{ number: 4 }])
  })

  it('asks reads elsewhere that were sent behind a statement which turns out to be slow', async () => {
    const db = open(2)
    await Promise.all([db.query('SELECT pg_sleep(0.05)'), db.query('SELECT pg_sleep(0.05)')])
    const slow = db.query('SELECT pg_sleep(3)')
    const reads = Array.from({ length: 20 }, (_, index) =>
      db.query<{ number: number; pid: number }>(
        'SELECT $1::int AS number, pg_backend_pid() AS pid',
        [index],
        { may_repeat: true },
      ),
    )
    const others = Array.from({ length: 5 }, () => db.query('SELECT pg_backend_pid() AS pid'))
    const first = await Promise.race([slow.then(() => undefined), Promise.all(reads)])
    expect(first?.map(([row]) => row?.number)).toEqual(reads.map((_, index) => index))
    // Nothing else is sent twice, so the statements queued behind it still wait.
    const ended = await Promise.race([slow.then(() => 'slow'), Promise.all(others).then(() => 'others')])
    expect(ended).toBe('slow')
    await Promise.all(others)
  })

  it('asks reads elsewhere once more if the other connection turns out to be slow, too', async () => {
    const db = open(3)
    await Promise.all(Array.from({ length: 3 }, () => db.query('SELECT pg_sleep(0.05)')))
    const nap = (seconds: number) => db.query(`SELECT pg_sleep(${seconds})`)
    const end = Promise.withResolvers<void>()
    const transaction = db.transaction(async inner => {
      await inner.query('SELECT 1')
      await end.promise
    })
    // Statements are spread evenly, so each of the two free connections gets a slow one, the second after many quick ones.
    const slow = [nap(2)]
    const quick = Array.from({ length: 9 }, () => nap(0.04))
    slow.push(nap(2), nap(2))
    const reads = Array.from({ length: 2 }, () => db.query('SELECT 1', [], { may_repeat: true }))
    await Promise.race(quick)
    await sleep(300)
    end.resolve()
    const first = await Promise.race([
      Promise.race(slow).then(() => 'slow'),
      Promise.all(reads).then(() => 'reads'),
    ])
    expect(first).toBe('reads')
    await Promise.all([transaction, ...slow, ...quick])
  })

  it('leaves alone a statement that takes its time', async () => {
    const db = open(2)
    const [row] = await db.query<{ state: string }>(
      `SELECT 'done' AS state FROM (SELECT pg_sleep(2.5)) AS nap`,
    )
    expect(row).toEqual({ state: 'done' })
  })

  it('comes back with growing pauses when it is let in and turned away, and refuses at once meanwhile', async () => {
    const db = open()
    await db.query('SELECT 1')
    network.turnAway()
    await expect.poll(() => answers(db)).toBe(false)
    await expect
      .poll(() => db.query('SELECT 1').catch(error => error.message))
      .toContain('closed a new connection')
    const before = network.arrivals
    const refused = await Promise.allSettled(Array.from({ length: 2000 }, () => db.query('SELECT 1')))
    expect(refused.filter(({ status }) => status === 'fulfilled')).toEqual([])
    await sleep(2000)
    expect(network.arrivals - before).toBeLessThan(12)
    network.heal()
    await expect.poll(() => answers(db), { timeout: 20_000 }).toBe(true)
  })

  it('listens again with growing pauses when its connection is lost each time it is there', async () => {
    const db = open()
    const heard: string[] = []
    await db.listen('news', payload => void heard.push(payload))
    const before = network.arrivals
    const end = performance.now() + 2000
    while (performance.now() < end) {
      await db.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`,
      )
      await sleep(2)
    }
    expect(network.arrivals - before).toBeLessThan(12)
    const tell = async () => {
      await db.query(`SELECT pg_notify('news', 'late')`)
      return heard
    }
    await expect.poll(tell, { timeout: 20_000 }).toContain('late')
  })

  it('refuses at once what is too much, and what waited too long', async () => {
    const db = owned.use(connect({ url }, 2, { waiting: 50, acquire_timeout: 1000 }))
    const held = Promise.withResolvers<void>()
    const transactions = Array.from({ length: 60 }, () =>
      db.transaction(async inner => {
        await inner.query('SELECT 1')
        await held.promise
      }),
    )
    const outcomes = await Promise.allSettled(transactions.slice(1))
    held.resolve()
    await transactions[0]
    const reasons = outcomes.map(outcome => (outcome as PromiseRejectedResult).reason)
    expect(new Set(reasons.map(({ code }) => code))).toEqual(new Set(['POOL_BUSY']))
    expect(await db.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  it('keeps few statements prepared, however many shapes there are', async () => {
    const db = owned.use(connect({ url }, 1))
    const measure = async () =>
      (
        await db.query<{ prepared: string; bytes: string }>(
          `SELECT (SELECT count(*) FROM pg_prepared_statements) AS prepared, sum(total_bytes)::bigint AS bytes
           FROM pg_backend_memory_contexts`,
        )
      )[0] as { prepared: string; bytes: string }
    // One in ten runs again, so that it is worth preparing.
    const use = async (from: number, to: number) => {
      for (let shape = from; shape < to; shape += 100) {
        const texts = Array.from(
          { length: 100 },
          (_, at) => `SELECT id FROM members WHERE id = '' /* ${shape + at} */`,
        )
        await Promise.all(texts.map(text => db.query(text)))
        await Promise.all(texts.slice(0, 10).map(text => db.query(text)))
      }
    }
    await use(0, 4000)
    const early = await measure()
    await use(4000, 9000)
    const late = await measure()
    expect(Number(late.prepared)).toBeGreaterThan(100)
    expect(Number(late.prepared)).toBeLessThanOrEqual(250)
    expect(Number(late.bytes)).toBeLessThan(Number(early.bytes) * 1.3)
    await Promise.all(
      Array.from({ length: 500 }, (_, at) => db.query(`SELECT id FROM sites /* only ${at} */`)),
    )
    expect(Number((await measure()).prepared)).toBe(Number(late.prepared))
  })
})
