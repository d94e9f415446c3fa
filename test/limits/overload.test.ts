import { Agent, request } from 'node:http'
import { holdTables, type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

let w: World
let crowded: Tenant
let other: Tenant
const agent = new Agent({ keepAlive: true, maxSockets: 500 })

beforeAll(async () => {
  w = await world({ rate_limit: 100_000, turn_wait: 600 })
  crowded = await w.tenant()
  other = await w.tenant()
  for (let index = 0; index < 40; index++) await crowded.client.members.create({ name: `Member ${index}` })
  await other.client.members.create({ name: 'Ann' })
})
afterAll(async () => {
  agent.destroy()
  await w[Symbol.asyncDispose]()
})

interface Seen {
  readonly status: number
  readonly headers: NodeJS.Dict<string | string[]>
}

function ask(tenant: Tenant, path: string, method = 'GET'): Promise<Seen> {
  const headers = { authorization: `Bearer ${tenant.token}` }
  return new Promise((resolve, reject) => {
    request(`${w.url}${path}`, { agent, method, headers }, response => {
      response
        .resume()
        .on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }))
    })
      .on('error', reject)
      .end()
  })
}

const page = '/v2/members?limit=100&expand=emails,group_associations,pins'

test('a crowd of one organization is refused what is too much, while others and revocations are served', async () => {
  const weekdays = Array.from({ length: 7 }, () => ({ ranges: [] }))
  const create = () => crowded.client.schedules.create({ name: 'Old', weekdays })
  const doomed = await Promise.all(Array.from({ length: 5 }, create))
  await ask(other, '/v2/members')
  const release = await holdTables(w.server.context.db, 'member_emails')
  const crowd = Promise.all(Array.from({ length: 450 }, () => ask(crowded, page)))
  const reads = []
  for (let index = 0; index < 15; index++) reads.push((await ask(other, '/v2/members?limit=1')).status)
  const deletions = await Promise.all(doomed.map(({ id }) => ask(crowded, `/v2/schedules/${id}`, 'DELETE')))
  await release()
  const answers = await crowd
  expect(reads).toEqual(Array(15).fill(200))
  expect(deletions.map(({ status }) => status)).toEqual(Array(5).fill(200))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]))
  const refused = answers.find(({ status }) => status === 503)
  expect(refused?.headers).toMatchObject({
    'retry-after': '1',
    'ratelimit-limit': '100000',
    'ratelimit-remaining': expect.stringMatching(/^\d+$/),
  })
})

test('what is in flight, waits and was refused is told by lane', async () => {
  const text = await (await fetch(`${w.url}/metrics`)).text()
  expect(text).toMatch(/gatehouse_turns_refused\{lane="ordinary"\} [1-9]\d*/)
  expect(text).toMatch(/gatehouse_turns_refused\{lane="revocation"\} 0/)
  expect(text).toMatch(/gatehouse_turns_in_flight\{lane="door"\} 0/)
  expect(text).toMatch(/gatehouse_turns_waiting\{lane="ordinary"\} 0/)
})
