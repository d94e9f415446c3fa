import { connect } from '@gatehouse-access/server'
import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { password, signUp } from './people.ts'
import type { Visitor } from './visitor.ts'

let w: World
let visitor: Visitor
let form: Form
interface Form {
  readonly form_token: string
  readonly headers: Record<string, string>
}

beforeAll(async () => {
  w = await world({ is_reachable: true, log_level: 'fatal' })
  visitor = await signUp(w, 'busy@example.com')
  form = await openForm(visitor)
})
afterAll(() => w[Symbol.asyncDispose]())

async function openForm(visitor: Visitor): Promise<Form> {
  await visitor.get('/security/password')
  const form_token = /name="form_token" value="([^"]+)"/.exec(visitor.text)?.[1] ?? ''
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return { form_token, headers: { cookie, origin: visitor.url } }
}

async function attempt({ form_token, headers }: Form = form): Promise<Response> {
  const body = new URLSearchParams({ form_token, current_password: 'not this one', password })
  const answer = await fetch(`${visitor.url}/security/password`, { method: 'POST', headers, body })
  await answer.arrayBuffer()
  return answer
}

test('password checks that wait keep no neighbour waiting, and have a bound', async () => {
  // The form lane serves 64 requests at a time and queues 256.
  const bound = 360 - 64 - 256
  const neighbour = await w.tenant()
  expect((await attempt()).status).toBe(403)
  await using own = connect({ url: w.database_url }, 1)
  const settled: number[] = []
  const attempts: Promise<Response>[] = []
  const guess = async () => {
    const answer = await attempt()
    settled.push(answer.status)
    return answer
  }
  await own.transaction(async db => {
    // Holds the table lock, so that every attempt blocks on the counter.
    await db.query('LOCK TABLE sign_in_failures IN EXCLUSIVE MODE')
    for (let times = 0; times < 60; times++) attempts.push(guess())
    for (let times = 0; times < 20; times++) await neighbour.client.members.list({ limit: 10 })
    expect(settled).toEqual([])
    for (let times = 0; times < 300; times++) attempts.push(guess())
    // Which attempts are rejected depends on the network. How many are rejected does not.
    await expect.poll(() => settled.length).toBeGreaterThanOrEqual(bound)
    expect(new Set(settled)).toEqual(new Set([503]))
  })
  const answers = await Promise.all(attempts)
  const refused = answers.filter(({ status }) => status === 503)
  expect(refused.every(answer => Number(answer.headers.get('retry-after')) > 0)).toBe(true)
  expect(refused.length).toBeGreaterThanOrEqual(bound)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403, 429, 503]))
})

test('password checks that wait keep nobody from revoking, and no application from its tokens', async () => {
  const neighbour = await w.tenant()
  const doomed = await neighbour.client.members.create({ name: 'Ann' })
  const others = await Promise.all([1, 2, 3].map(number => signUp(w, `busy-${number}@example.com`)))
  const crowd = await Promise.all(others.map(openForm))
  await Promise.all(crowd.map(attempt))
  await using own = connect({ url: w.database_url }, 1)
  const attempts: Promise<Response>[] = []
  await own.transaction(async db => {
    await db.query('LOCK TABLE sign_in_failures IN EXCLUSIVE MODE')
    for (const as of crowd) for (let times = 0; times < 30; times++) attempts.push(attempt(as))
    await expect.poll(inForms).toBeGreaterThan(30)
    expect(await neighbour.client.members.delete(doomed.id)).toMatchObject({ is_deleted: true })
    const exchange = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: 'nobody',
      refresh_token: 'none',
    })
    expect((await fetch(`${w.url}/oauth2/token`, { method: 'POST', body: exchange })).status).toBe(401)
    expect((await fetch(`${w.url}/sign-in`)).status).toBe(200)
  })
  await Promise.all(attempts)
})

async function inForms(): Promise<number> {
  const text = await (await fetch(`${w.url}/metrics`)).text()
  return Number(/gatehouse_turns_in_flight\{lane="form"\} (\d+)/.exec(text)?.[1])
}
