import { connect } from '@gatehouse/server'
import { type World, world } from '@gatehouse/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { password, signUp } from './people.ts'
import type { Visitor } from './visitor.ts'

let w: World
let visitor: Visitor
let headers: Record<string, string>

beforeAll(async () => {
  w = await world({ is_reachable: true, log_level: 'fatal' })
  visitor = await signUp(w, 'busy@example.com')
  const { body } = await visitor.account<{ csrf_token: string }>('GET', '/account/session')
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  headers = { cookie, 'x-csrf-token': body.csrf_token, 'content-type': 'application/json' }
})
afterAll(() => w[Symbol.asyncDispose]())

async function attempt(): Promise<Response> {
  const body = JSON.stringify({ current_password: 'not this one', password })
  const answer = await fetch(`${visitor.url}/account/password`, { method: 'POST', headers, body })
  await answer.arrayBuffer()
  return answer
}

test('password checks that wait keep no neighbour waiting, and have a bound', async () => {
  const neighbour = await w.tenant()
  expect((await attempt()).status).toBe(403)
  await using own = connect({ url: w.database_url }, 1)
  let settled = 0
  const attempts: Promise<Response>[] = []
  const isRefused = async () => (await Promise.all(attempts.slice(-1)))[0]?.status
  await own.transaction(async db => {
    // Nobody gets past the count while this is held: all of them wait.
    await db.query('SELECT 1 FROM sign_in_failures FOR UPDATE')
    for (let times = 0; times < 60; times++) attempts.push(attempt())
    for (const one of attempts) one.finally(() => settled++)
    for (let times = 0; times < 20; times++) await neighbour.client.members.list({ limit: 10 })
    expect(settled).toBe(0)
    for (let times = 0; times < 160; times++) attempts.push(attempt())
    expect(await isRefused()).toBe(503)
  })
  const answers = await Promise.all(attempts)
  const refused = answers.filter(({ status }) => status === 503)
  expect(refused.every(answer => Number(answer.headers.get('retry-after')) > 0)).toBe(true)
  // The line for sign-ins holds 202 of them; the one that all requests stand in may hold fewer.
  expect(refused.length).toBeGreaterThanOrEqual(220 - 202)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403, 429, 503]))
})
