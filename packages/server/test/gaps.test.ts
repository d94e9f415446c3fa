import { EventEmitter } from 'node:events'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Database, Pool } from '../src/database/db.ts'
import { withEpochs } from '../src/database/epochs.ts'
import { aside, gently } from '../src/database/gently.ts'
import { gap, inGaps, noteRequest, Slices } from '../src/flow/gaps.ts'
import { tracePool } from '../src/monitoring/traced-pool.ts'
import type { Tracing } from '../src/monitoring/tracing.ts'

/** A request that is being answered until its answer is closed. */
function ask(): EventEmitter {
  const answer = new EventEmitter()
  noteRequest(answer)
  return answer
}

/** Works for the given milliseconds in steps of a tenth of a millisecond. */
function* workFor(milliseconds: number): Generator<undefined, string> {
  for (let step = 0; step < milliseconds * 10; step++) {
    const end = performance.now() + 0.1
    while (performance.now() < end);
    yield
  }
  return 'done'
}

/** Whether work goes on within the next turns of the loop. */
async function isGoingOn(work: Promise<unknown>): Promise<boolean> {
  let went = false
  void work.then(() => {
    went = true
  })
  for (let turns = 0; turns < 5; turns++) await nextTurn()
  return went
}

test('work waits while a request is being answered, and goes on at once after it', async () => {
  expect(await isGoingOn(gap(10_000))).toBe(true)
  const answer = ask()
  const waiting = gap(10_000)
  expect(await isGoingOn(waiting)).toBe(false)
  answer.emit('close')
  expect(await isGoingOn(waiting)).toBe(true)
})

test('work goes on in the end, however many requests there are', async () => {
  const answers = [ask(), ask()]
  const began = performance.now()
  await gap(20)
  expect(performance.now() - began).toBeGreaterThanOrEqual(19)
  expect(await inGaps(workFor(2))).toBe('done')
  for (const answer of answers) answer.emit('close')
})

test('a request that stays open, such as a stream, is not waited for', async () => {
  const stream = ask()
  await sleep(60)
  expect(await isGoingOn(gap(10_000))).toBe(true)
  stream.emit('close')
})

test('those who wait go in the order in which they came, one in a turn of the loop', async () => {
  const order: string[] = []
  const first = gap().then(() => order.push('first'))
  const second = gap().then(() => order.push('second'))
  const turn = nextTurn().then(() => nextTurn().then(() => order.push('turn')))
  await Promise.all([first, second, turn])
  expect(order).toEqual(['first', 'second', 'turn'])
})

test('the loop turns between slices of long work', async () => {
  let turns = 0
  let isRunning = true
  const count = async () => {
    while (isRunning) {
      await nextTurn()
      turns++
    }
  }
  const counted = count()
  await inGaps(workFor(40))
  const ofSteps = turns
  const slices = new Slices()
  for (let step = 0; step < 400; step++) {
    const end = performance.now() + 0.1
    while (performance.now() < end);
    if (slices.isOver) await slices.next()
  }
  isRunning = false
  await counted
  // Forty milliseconds in slices of half of one.
  expect(ofSteps).toBeGreaterThan(40)
  expect(turns - ofSteps).toBeGreaterThan(40)
})

test('a fault in a step is the answer', async () => {
  const faulty = inGaps(
    (function* (): Generator<undefined, void> {
      yield
      throw new Error('a fault')
    })(),
  )
  await expect(faulty).rejects.toThrow('a fault')
})

test('statements of gentle work begin between requests, also in a transaction', async () => {
  const sent: string[] = []
  const inner = {
    query: async (text: string) => {
      sent.push(text)
      return []
    },
    transaction: (work: (db: unknown) => unknown) => work(inner),
    afterCommit: () => {},
  }
  const db = gently(inner as unknown as Pool, 10_000)
  const answer = ask()
  const both = db.transaction(async within => {
    await within.query('one')
    await within.transaction(deeper => deeper.query('two'))
  })
  const alone = db.query('three')
  for (let turns = 0; turns < 5; turns++) await nextTurn()
  expect(sent).toEqual([])
  answer.emit('close')
  await Promise.all([both, alone])
  expect(sent.toSorted()).toEqual(['one', 'three', 'two'])
  expect(sent.indexOf('one')).toBeLessThan(sent.indexOf('two'))
})

test('what follows from an answer begins between requests, too', async () => {
  const answer = ask()
  const pool = { query: async () => [{ one: 1 }] } as unknown as Pool
  const asked = gently(pool, 10_000).query('SELECT 1 AS one')
  answer.emit('close')
  const later = ask()
  expect(await isGoingOn(asked)).toBe(false)
  later.emit('close')
  expect(await isGoingOn(asked)).toBe(true)
})

test('transactions of what may take longer say so to the pool, through everything around it', async () => {
  const told: unknown[] = []
  const pool = {
    transaction: async (work: (db: Database) => Promise<unknown>, options: unknown) => {
      told.push(options)
      return work(pool as unknown as Database)
    },
  }
  for (const isInside of [true, false]) {
    const tracing = { isInside: () => isInside, trace: (_: unknown, work: () => unknown) => work() }
    const around = tracePool(withEpochs(pool as unknown as Pool), tracing as unknown as Tracing)
    await aside(around).transaction(async () => undefined)
  }
  expect(told).toEqual([{ gives_way: true }, { gives_way: true }])
})
