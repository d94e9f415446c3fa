import { endpoints, memberEndpoints } from '@gatehouse-access/api'
import { accountRoutes, jobs } from '@gatehouse-access/server'
import { quickest } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountScenarios } from './account-scenarios.ts'
import { activities, type Counts } from './activities.ts'
import { growTenant, type LargeTenant, type Size } from './large-tenant.ts'
import {
  type Ask,
  apiScenarios,
  consumerReasons,
  jobReasons,
  memberScenarios,
  type Scenario,
} from './scenarios.ts'
import { askAs, type Neighbour, type Stage, stage } from './stage.ts'

/** `npm run soak -- <members> neighbours` makes the tenant larger. */
const factor = Math.max(1, Math.round(Number(process.env.GATEHOUSE_SEEDS ?? 0) / 300))
const size: Size = {
  controllers: 10 * Math.min(factor, 20),
  schedules: 60 * Math.min(factor, 10),
  days: 500 * Math.min(factor, 10),
  groups: 10 * Math.min(factor, 20),
  members: 300 * factor,
  of_one: 300 * Math.min(factor, 10),
}

const counts: Counts = {
  events: Math.min(60 * factor, 10_000),
  streams: Math.min(6 * factor, 100),
  devices: Math.min(3 * factor, 60),
  webhooks: Math.min(4 * factor, 100),
}

/**
 * The longest time that the event loop may be blocked, in milliseconds, and the allowed memory growth, in
 * bytes.
 */
const longestHold = 50
const mostGrowth = 400 * 1024 * 1024

describe('every endpoint, job and consumer is looked at', () => {
  test.each([
    ['/v2', endpoints.map(({ id }) => id), apiScenarios],
    ['/member/v1', memberEndpoints.map(({ id }) => id), memberScenarios],
    ['/account', accountRoutes.map(({ method, path }) => `${method} ${path}`), accountScenarios],
    ['jobs', jobs.map(({ name }) => name), jobReasons],
  ])('%s', (_name, there, looked) => {
    expect(Object.keys(looked).toSorted()).toEqual(there.toSorted())
  })
})

describe('one tenant at its limits', () => {
  let on: Stage
  let large: LargeTenant
  let other: Neighbour
  beforeAll(async () => {
    on = await stage()
    large = await growTenant(on.db, await on.neighbour(), size)
    other = await on.neighbour()
    await other.ask('POST', '/v2/sites', { name: 'Site', timezone: 'UTC' })
  })
  afterAll(() => on[Symbol.asyncDispose]())

  const asked = [apiScenarios, memberScenarios, accountScenarios]
    .flatMap(scenarios => Object.entries(scenarios))
    .flatMap(([name, scenario]): [string, Exclude<Scenario, string>][] =>
      typeof scenario === 'string' ? [] : [[name, scenario]],
    )

  const send = ({ method, path, body, as_member, as_user }: Ask) => {
    const bearer = { authorization: `Bearer ${as_member ? large.member_token : large.token}` }
    return askAs(as_user ? { cookie: large.cookie } : bearer, on.url + path, method, body)
  }

  test.each(inParts(asked))(
    '%s never holds the loop of everybody, nor fills the memory',
    async (_name, part) => {
      const { rss } = await on.held()
      const held: [name: string, milliseconds: number][] = []
      const refused: [name: string, status: number, body: object][] = []
      for (const [name, scenario] of part) {
        const request = scenario(large)
        const longest = await quickest(longestHold, async () => {
          const { status, body } = await send(request)
          // A rejected request does not exercise the endpoint.
          if (!isAnswered(status)) refused.push([name, status, body])
          return (await on.held()).longest
        })
        held.push([name, Math.round(longest)])
      }
      expect(refused).toEqual([])
      expect(held.filter(([, longest]) => longest >= longestHold)).toEqual([])
      expect((await on.held()).rss - rss).toBeLessThan(mostGrowth)
    },
  )

  test.each(Object.keys(activities))('%s: the loop is never held, nor memory filled', async name => {
    const { rss } = await on.held()
    const longest = await quickest(longestHold, async () => {
      await activities[name]?.(on, large, counts)
      return (await on.held()).longest
    })
    expect(longest).toBeLessThan(longestHold)
    expect((await on.held()).rss - rss).toBeLessThan(mostGrowth)
  })

  test('lets another tenant wait little longer than when that is alone', async () => {
    const heavy = asked.filter(([name]) =>
      /home|access|check|member_group\.list|member\.list|sync/.test(name),
    )
    const longer = await quickest(1, async () => {
      const alone = p99(await waits(40))
      const load = new AbortController()
      const busy = keepAsking(heavy, load.signal)
      const beside = p99(await waits(40))
      load.abort()
      await busy
      return Math.max(0, beside - 2 * alone - floor)
    })
    expect(longer).toBe(0)
  })

  async function keepAsking(scenarios: typeof asked, signal: AbortSignal): Promise<void> {
    while (!signal.aborted)
      for (const [, scenario] of scenarios) if (!signal.aborted) await send(scenario(large))
  }

  async function waits(count: number): Promise<number[]> {
    const taken: number[] = []
    for (let index = 0; index < count; index++) {
      const began = performance.now()
      expect((await other.ask('GET', '/v2/sites')).status).toBe(200)
      taken.push(performance.now() - began)
    }
    return taken
  }

  test('no consumer is left out', async () => {
    const metrics = await (await fetch(`${on.url}/metrics`)).text()
    const names = [...metrics.matchAll(/gatehouse_consumer_lag_seconds\{consumer="(\w+)"/g)].map(
      match => match[1],
    )
    expect(Object.keys(consumerReasons).toSorted()).toEqual(names.toSorted())
  })
})

/** Requests that one test sends: each takes a moment, and there are more with each part of the product. */
const atOnce = 20

function inParts<One>(all: readonly One[]): [name: string, part: readonly One[]][] {
  return Array.from({ length: Math.ceil(all.length / atOnce) }, (_, index) => {
    const first = index * atOnce
    const part = all.slice(first, first + atOnce)
    return [`endpoints ${first + 1} to ${first + part.length}`, part]
  })
}

/** 403 is accepted, because a door may be closed to the member at this hour. */
function isAnswered(status: number): boolean {
  return status === 200 || status === 403
}

/** Milliseconds that a busy machine adds to the slowest of a few requests. */
const floor = 50

function p99(taken: readonly number[]): number {
  return taken.toSorted((a, b) => a - b)[Math.floor(taken.length * 0.99) - 1] ?? Number.NaN
}
