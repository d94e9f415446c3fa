import { addSeconds } from '@gatehouse-access/core'
import { receiver, type World, world } from '@gatehouse-access/testkit'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dueAfter, nextAttempt } from '../../packages/server/src/delivery/webhooks/retry-schedule.ts'
import { runs } from '../properties/seeds.ts'

const began = '2026-11-14T09:30:00.000000Z'
const secondsAt = (moment: string, from = began) => (Date.parse(moment) - Date.parse(from)) / 1000

/** The conditions that may differ between attempts. */
interface Weather {
  /** Seconds until the response. */
  readonly latency: number
  /** Seconds between the due time and the start of the attempt. */
  readonly late: number
  readonly retry_after?: number | undefined
}

/**
 * Returns when each attempt of a round starts, in seconds after the first, for a receiver that rejects
 * everything.
 */
function simulate(jitter: number, weather: (attempt: number) => Weather): number[] {
  const times = [0]
  let [round_place, previous_at, attempted_at] = [0, null as string | null, began]
  for (;;) {
    const { latency, late, retry_after } = weather(times.length)
    const ended_at = addSeconds(attempted_at, latency)
    const round = { round_started_at: began, round_place, previous_at, attempted_at, ended_at }
    const next = nextAttempt({ ...round, retry_after, jitter })
    if (!next) return times
    previous_at = attempted_at
    attempted_at = addSeconds(next.next_attempt_at, late)
    round_place = next.round_place
    times.push(secondsAt(attempted_at))
  }
}

const gapsOf = (times: readonly number[]) => times.slice(1).map((time, at) => time - (times[at] as number))

/**
 * Expects each gap to be at least 0.9 times twice the previous one. Rounding may cost a millisecond per gap.
 */
function expectBackOff(times: readonly number[]): void {
  const gaps = gapsOf(times)
  for (const [at, gap] of gaps.slice(1).entries())
    expect(gap, `gaps ${gaps.join(' ')}`).toBeGreaterThanOrEqual(1.8 * (gaps[at] as number) - 0.005)
}

describe('an hour of failures', () => {
  test('with 1,000 seeds of jitter: eleven attempts each, and every gap at least 0.9 of twice the last', () => {
    const rounds = Array.from({ length: 1000 }, (_, seed) =>
      simulate(seed / 999, () => ({ latency: 0, late: 0 })),
    )
    for (const times of rounds) {
      expect(times).toHaveLength(11)
      expectBackOff(times)
      for (const [at, time] of times.entries()) {
        const due = dueAfter[at] as number
        const gap = due - (dueAfter[at - 1] ?? 0)
        expect(time).toBeLessThanOrEqual(due + 0.001)
        expect(time).toBeGreaterThanOrEqual(due - 0.1 * gap)
      }
    }
    console.log(tableOf(rounds))
  })

  test('whatever jitter, latency, delay and Retry-After: eleven at the most, none after the last time', () => {
    const weather = fc.record({
      latency: fc.integer({ min: 0, max: 10 }),
      late: fc.oneof(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 4000 })),
      retry_after: fc.option(fc.integer({ min: 0, max: 5000 }), { nil: undefined }),
    })
    const round = fc.array(weather, { minLength: 12, maxLength: 12 })
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), round, (jitter, all) => {
        const times = simulate(jitter, at => all[at] as Weather)
        expect(times.length).toBeLessThanOrEqual(11)
        const planned = times.map((time, at) => time - (at === 0 ? 0 : (all[at] as Weather).late))
        for (const time of planned) expect(time).toBeLessThanOrEqual(3580.502)
        for (const gap of gapsOf(times)) expect(gap).toBeGreaterThan(0.9 * 3.5 - 0.001)
      }),
      runs(300),
    )
  })

  test('a receiver that takes its time, and a service that is late, stretch the gaps and never shorten one', () => {
    const weather = fc.record({ latency: fc.integer({ min: 0, max: 10 }), late: fc.constantFrom(0, 0, 1) })
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.array(weather, { minLength: 12 }),
        (jitter, all) => {
          const times = simulate(jitter, at => all[at] as Weather)
          expectBackOff(times.filter(time => time < 3500))
          expect(times.length).toBeGreaterThanOrEqual(8)
        },
      ),
      runs(300),
    )
  })

  test('a clock that is set back repeats no time', () => {
    let [round_place, count] = [0, 1]
    for (;;) {
      const at = addSeconds(began, -3600)
      const round = { round_started_at: began, round_place, previous_at: at, attempted_at: at, ended_at: at }
      const next = nextAttempt({ ...round, retry_after: undefined, jitter: 1 })
      if (!next) break
      round_place = next.round_place
      count++
    }
    expect(count).toBe(11)
  })
})

/** Returns the earliest, mean and latest start of each attempt. */
function tableOf(rounds: readonly (readonly number[])[]): string {
  const rows = dueAfter.map((due, at) => {
    const times = rounds.map(times => times[at] as number)
    const mean = times.reduce((sum, time) => sum + time, 0) / times.length
    const cells = [at + 1, due, Math.min(...times), mean, Math.max(...times)]
    return cells.map((cell, place) => cell.toFixed(place === 0 ? 0 : 2).padStart(9)).join(' |')
  })
  return [`  attempt |      due | earliest |     mean |   latest, of ${rounds.length} seeds`, ...rows].join(
    '\n',
  )
}

describe('through the lanes of a service', () => {
  let w: World
  beforeAll(async () => {
    w = await world({ delivery: true })
  })
  afterAll(() => w[Symbol.asyncDispose]())

  test('every delivery is attempted eleven times at its own times, in two rounds, the second by hand', {
    timeout: process.env.GATEHOUSE_SEEDS ? 3_600_000 : 60_000,
  }, async () => {
    await using sink = await receiver(500)
    const { client, organization_id } = await w.tenant()
    const { id } = await client.webhooks.create({ url: sink.url, filter: [{ object_type: 'site' }] })
    const count = runs(4).numRuns
    for (let index = 0; index < count; index++) await client.sites.create({ name: 'Here', timezone: 'UTC' })
    await sink.waitFor(count)
    const attemptsOf = async () => {
      const { data } = await client.webhook_deliveries.list(id, { limit: 100 })
      return data.map(({ attempts }) => attempts.map(({ attempted_at }) => attempted_at))
    }
    await passAnHour(organization_id)
    for (const times of await attemptsOf()) expectRound(times)
    const [first] = (await client.webhook_deliveries.list(id)).data
    await client.webhook_deliveries.retry(id, first?.id as string)
    await passAnHour(organization_id)
    const again = (await client.webhook_deliveries.get(id, first?.id as string)).attempts
    expect(again).toHaveLength(22)
    expectRound(again.slice(11).map(({ attempted_at }) => attempted_at))
    expect((await attemptsOf()).flat()).toHaveLength(11 * count + 11)
  })

  function expectRound(times: readonly string[]): void {
    expect(times).toHaveLength(11)
    expectBackOff(times.map(time => secondsAt(time, times[0])))
  }

  /** Advances the clock to each due time until no attempts are left. */
  async function passAnHour(organizationId: string): Promise<void> {
    const { context } = w.server
    const nextDue = async () => {
      const [row] = await context.db.query<{ due_at: string | null; waiting: number }>(
        `SELECT min(next_attempt_at) AS due_at, (SELECT count(*)::integer FROM webhook_batches WHERE organization_id = $1) AS waiting
         FROM webhook_deliveries WHERE organization_id = $1 AND status = 'pending'`,
        [organizationId],
      )
      return row
    }
    for (;;) {
      await expect.poll(async () => isSettled(await nextDue()), { timeout: 30_000, interval: 5 }).toBe(true)
      const due = (await nextDue())?.due_at
      if (due == null) return
      w.clock.set(due)
      context.deliveries.notify()
    }
  }

  function isSettled(row: { due_at: string | null; waiting: number } | undefined): boolean {
    return row?.waiting === 0 && (row.due_at === null || row.due_at > w.clock.now())
  }
})
