import { expect, onTestFinished, test, vi } from 'vitest'
import { FairQueue } from '../src/http/turnstile/fair-queue.ts'
import { Lane } from '../src/http/turnstile/lane.ts'
import { Pace } from '../src/http/turnstile/pace.ts'
import { Refusals } from '../src/http/turnstile/refusals.ts'

const width = { limit: 8, room: 16, share: 1 / 2 }

/** Enters many times and records each outcome as it happens. */
function crowd(lane: Lane, tenant: string, count: number, weight = 1) {
  const outcomes: string[] = []
  for (let index = 0; index < count; index++) {
    const pending = lane.enter(tenant, weight)
    if (pending) void pending.then(isServed => outcomes.push(isServed ? 'served' : 'refused'))
    else outcomes.push('served')
  }
  return outcomes
}

const always = () => true
const settled = () => new Promise(resolve => setImmediate(resolve))

test('a tenant has its share, its line is bounded, and the newest are refused', async () => {
  const lane = new Lane(() => width)
  const outcomes = crowd(lane, 'a', 100)
  await settled()
  expect([lane.in_flight, lane.waiting, lane.refused]).toEqual([4, 16, 80])
  expect(outcomes.filter(outcome => outcome === 'served').length).toBe(4)
})

test('another is served at once beside the crowd, and its waiting ones push out the newest of the crowd', async () => {
  const lane = new Lane(() => width)
  crowd(lane, 'a', 100)
  const others = crowd(lane, 'b', 8)
  await settled()
  expect(others).toEqual(['served', 'served', 'served', 'served'])
  expect([lane.in_flight, lane.waiting]).toEqual([8, 16])
  expect(lane.refused).toBe(84)
})

test('turns go round by cost, whatever the lengths of the lines', () => {
  const queue = new FairQueue<{ tenant: string; weight: number; since: number }>()
  for (let index = 0; index < 50; index++) queue.push({ tenant: 'heavy', weight: 8, since: 0 })
  for (let index = 0; index < 50; index++) queue.push({ tenant: 'many', weight: 1, since: 0 })
  for (let index = 0; index < 5; index++) queue.push({ tenant: 'few', weight: 1, since: 0 })
  const served = Array.from({ length: 40 }, () => queue.shift(always, always)?.tenant)
  expect(served.slice(0, 16).filter(tenant => tenant === 'few').length).toBe(5)
  const costs = { heavy: 8, many: 1 }
  const costOf = (name: 'heavy' | 'many') => served.filter(tenant => tenant === name).length * costs[name]
  expect(Math.abs(costOf('heavy') - costOf('many'))).toBeLessThanOrEqual(12)
})

test('a tenant that is at its share does not hold up those behind it', () => {
  const queue = new FairQueue<{ tenant: string; weight: number; since: number }>()
  queue.push({ tenant: 'full', weight: 1, since: 0 })
  queue.push({ tenant: 'free', weight: 8, since: 0 })
  expect(queue.shift(({ tenant }) => tenant !== 'full', always)?.tenant).toBe('free')
  expect(queue.shift(({ tenant }) => tenant !== 'full', always)).toBeUndefined()
  expect([queue.size, queue.weight]).toEqual([1, 1])
})

test('what is heavy is not overtaken for ever by what is light', async () => {
  const lane = new Lane(() => ({ limit: 24, room: 200, share: 1 / 2 }))
  const light = ['a', 'b'].map(tenant => ({ tenant, outcomes: crowd(lane, tenant, 40) }))
  const heavy = crowd(lane, 'c', 1, 8)
  for (let round = 0; round < 20; round++)
    for (const { tenant } of light) {
      lane.leave(tenant, 1)
      crowd(lane, tenant, 1)
      crowd(lane, `new ${round}`, 1)
    }
  await settled()
  expect(heavy).toEqual(['served'])
  expect(lane.in_flight).toBeLessThanOrEqual(24)
})

test('whoever leaves makes room for the next, and nothing is kept of tenants that are gone', async () => {
  const lane = new Lane(() => width)
  const outcomes = crowd(lane, 'a', 20)
  for (let index = 0; index < 20; index++) lane.leave('a', 1)
  await settled()
  expect(outcomes).toEqual(Array(20).fill('served'))
  expect([lane.in_flight, lane.waiting, lane.refused]).toEqual([0, 0, 0])
})

test('fewer are let in while answers are slow, more while they are quick and some wait', () => {
  const pace = new Pace()
  const [limit, room] = [pace.limit, pace.room]
  for (let window = 1; window <= 20; window++) {
    pace.note(1, 400)
    pace.adapt(true, performance.now() + window * 200)
  }
  expect(pace.limit).toBeLessThan(limit / 2)
  expect(pace.room).toBeLessThan(room)
  const slow = pace.limit
  for (let window = 21; window <= 60; window++) {
    for (let count = 0; count < 4000; count++) pace.note(1, 10)
    pace.adapt(true, performance.now() + window * 200)
  }
  expect(pace.limit).toBeGreaterThan(slow)
  expect(pace.room).toBeGreaterThan(room)
})

test('few refusals are answered at once, many at a pace, none later than a second', async () => {
  const refusals = new Refusals()
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let answered = 0
  const refuse = () => {
    const pause = refusals.pause(1000)
    if (pause) void pause.then(() => answered++)
    else answered++
  }
  for (let index = 0; index < 50; index++) refuse()
  expect(answered).toBe(50)
  for (let index = 0; index < 2000; index++) refuse()
  expect(answered).toBe(50)
  await vi.advanceTimersByTimeAsync(500)
  expect(answered).toBeGreaterThan(250)
  expect(answered).toBeLessThan(350)
  await vi.advanceTimersByTimeAsync(501)
  expect(answered).toBe(2050)
})

test('what is held back is bounded', () => {
  const refusals = new Refusals()
  const pauses = Array.from({ length: 5000 }, () => refusals.pause())
  expect(pauses.filter(Boolean).length).toBe(4000)
})
