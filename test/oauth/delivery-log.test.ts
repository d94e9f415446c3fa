import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authorize, found, register, signUp } from './people.ts'
import type { Visitor } from './visitor.ts'

let w: World
let developer: Visitor
let customer: Visitor
let hooks: string

beforeAll(async () => {
  w = await world({ is_reachable: true })
  developer = await signUp(w, 'developer@example.com')
  customer = await signUp(w, 'customer@example.com')
  const client = await register(developer)
  const organization_id = await found(customer, 'Customer')
  await authorize(customer, { ...client, organization_id })
  hooks = `/account/applications/${client.client_id}/organizations/${organization_id}/webhooks`
})
afterAll(() => w[Symbol.asyncDispose]())

test('the developer tests a webhook, reads what is sent, retries and replays it', async () => {
  const made = await developer.account<{ id: string }>('POST', hooks, {
    url: 'https://receiver.example/hook',
    filter: [{ object_type: 'webhook', verb: 'use' }],
  })
  const path = `${hooks}/${made.body.id}`
  const tested = await developer.account<{ webhook_delivery_id: string }>('POST', `${path}/test`)
  const id = tested.body.webhook_delivery_id
  const list = await developer.account<{ data: object[] }>('GET', `${path}/deliveries?expand=event`)
  expect(list.body.data).toMatchObject([{ id, status: 'pending', event: { verb: 'use' } }])
  const one = await developer.account<{ payload: string; event_id: string }>(
    'GET',
    `${path}/deliveries/${id}`,
  )
  expect(JSON.parse(one.body.payload)).toMatchObject({ id: one.body.event_id, verb: 'use' })
  expect((await developer.account('POST', `${path}/deliveries/${id}/retry`)).status).toBe(200)
  const again = await developer.account('POST', `${path}/replay`, { starts_at: '2000-01-01T00:00:00Z' })
  expect(again.body).toEqual({ count: 1, continue_at: null })

  for (const [method, below] of [
    ['POST', '/test'],
    ['POST', '/replay'],
    ['GET', '/deliveries'],
    ['GET', `/deliveries/${id}`],
    ['POST', `/deliveries/${id}/retry`],
  ] as const)
    expect([below, (await customer.account(method, path + below)).status]).toEqual([below, 404])
})

test('bad input is refused and sends nothing', async () => {
  const made = await developer.account<{ id: string }>('POST', hooks, { url: 'https://receiver.example/' })
  const path = `${hooks}/${made.body.id}`
  expect((await developer.account('POST', `${path}/replay`, {})).status).toBe(400)
  expect((await developer.account('POST', `${path}/test`, { to: 'elsewhere' })).status).toBe(400)
  expect((await developer.account('GET', `${path}/deliveries?cursor=nonsense`)).status).toBe(400)
  expect((await developer.account('GET', `${path}/deliveries/whd_nothing`)).status).toBe(404)
  await developer.account('PATCH', path, { is_enabled: false })
  expect((await developer.account('POST', `${path}/test`)).status).toBe(400)
  const { body } = await developer.account<{ data: object[] }>('GET', `${path}/deliveries`)
  expect(body.data).toEqual([])
})
