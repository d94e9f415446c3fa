import { createApplication } from '@gatehouse-access/server'
import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signUp } from '../oauth/people.ts'
import type { Visitor } from '../oauth/visitor.ts'

let w: World
let person: Visitor
const rate = 5
const burst = 2 * rate
/** What a bucket regains while a busy machine sends the requests. */
const grace = 8 * rate

beforeAll(async () => {
  w = await world({
    is_reachable: true,
    rate_limit: rate,
    organization_rate_limit: 3 * rate,
    trusted_proxies: ['127.0.0.1'],
  })
  person = await signUp(w, 'busy@example.com')
})
afterAll(() => w[Symbol.asyncDispose]())

/** Sends each request from a different address, so that none is limited as an unknown client. */
function statuses(tokens: readonly string[]): Promise<number[]> {
  return Promise.all(
    tokens.map(async (token, index) => {
      const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': `10.1.0.${index}` }
      const answer = await fetch(`${w.url}/v2/organization`, { headers })
      await answer.arrayBuffer()
      return answer.status
    }),
  )
}

const passed = (answers: readonly number[]) => answers.filter(status => status === 200).length
const repeat = <T>(items: readonly T[], length: number) =>
  Array.from({ length }, (_, index) => items[index % items.length] as T)

test('twenty tokens of one grant get no more than one', async () => {
  const { tokenWith } = await w.tenant()
  const tokens = await Promise.all(Array.from({ length: 20 }, () => tokenWith(['full_read_only'])))
  const answers = await statuses(repeat(tokens, 200))
  expect(passed(answers)).toBeGreaterThanOrEqual(burst)
  expect(passed(answers)).toBeLessThan(burst + grace)
  expect(new Set(answers)).toEqual(new Set([200, 429]))
})

test('the applications of one organization share its limit, and another organization does not feel it', async () => {
  const { context } = w.server
  const [crowded, other] = [await w.tenant(), await w.tenant()]
  // Enough tokens that each of them alone stays below its limit.
  const tokens = await Promise.all(
    Array.from({ length: 40 }, async (_, index) =>
      crowded.tokenWith(['full_read_only'], await createApplication(context, context.db, `App ${index}`)),
    ),
  )
  const answers = await statuses(repeat(tokens, 200))
  expect(passed(answers)).toBeGreaterThanOrEqual(3 * burst)
  expect(passed(answers)).toBeLessThan(3 * burst + 3 * grace)
  expect(await statuses([other.token])).toEqual([200])
})

test('who begins authorizations without signing in is counted by address', async () => {
  const query = 'client_id=app_unknown&response_type=code&redirect_uri=https%3A%2F%2Fclient.example%2F'
  const ask = () => fetch(`${w.url}/oauth2/auth?${query}`, { redirect: 'manual' })
  const answers = await Promise.all(Array.from({ length: 120 }, ask))
  const limited = answers.filter(({ status }) => status === 429)
  expect(limited.length).toBeGreaterThan(120 - burst - grace)
  expect(limited[0]?.headers.get('retry-after')).toBe('1')
  expect(limited[0]?.headers.get('ratelimit-limit')).toBe(String(rate))
  expect(await limited[0]?.json()).toMatchObject({ error: 'temporarily_unavailable' })
  expect(answers.find(({ status }) => status !== 429)?.headers.get('ratelimit-remaining')).toMatch(/^\d+$/)
})

test('what a user asks of /account is counted for the user, from whatever addresses, and strangers by theirs', async () => {
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const ask = (cookie: string, address: string) =>
    fetch(`${w.url}/account/session`, { headers: { cookie, 'x-forwarded-for': address } })
  const own = await Promise.all(Array.from({ length: 120 }, (_, index) => ask(cookie, `10.0.0.${index}`)))
  expect(own.filter(({ status }) => status === 429).length).toBeGreaterThan(120 - burst - grace)
  expect(own.at(-1)?.headers.get('ratelimit-limit')).toBe(String(rate))
  const nobody = await Promise.all(Array.from({ length: 120 }, () => ask('', '10.9.9.9')))
  expect(nobody.filter(({ status }) => status === 429).length).toBeGreaterThan(120 - burst - grace)
  expect((await ask('', '10.9.9.8')).status).toBe(401)
})
