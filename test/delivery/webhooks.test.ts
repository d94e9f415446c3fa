import { createHmac, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyWebhook } from '@gatehouse-access/sdk'
import { type Receiver, receiver, type Tenant, type World, world } from '@gatehouse-access/testkit'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { jobTypes } from '../../packages/server/src/services/job-types.ts'
import { JobRunner } from '../../packages/server/src/services/jobs/run-jobs.ts'
import { importFile } from '../imports/importing.ts'

let w: World
let tenant: Tenant
let sink: Receiver

beforeAll(async () => {
  w = await world({ delivery: true })
})
afterAll(() => w[Symbol.asyncDispose]())
beforeEach(async () => {
  tenant = await w.tenant()
  sink = await receiver()
})
afterEach(() => sink[Symbol.asyncDispose]())

const member = { object_type: 'member' }
const settle = () => sleep(400)

function subscribe(filter: object[], more: object = {}) {
  return tenant.client.webhooks.create({ url: sink.url, filter: filter as never, ...more })
}

describe('spec, "Webhooks"', () => {
  test('1: a matching event is POSTed as JSON, in the shape of GET /events/{id}', async () => {
    await subscribe([member])
    const { id } = await tenant.client.members.create({ name: 'Ada' })
    const [delivery] = await sink.waitFor(1)
    expect(delivery?.headers['content-type']).toBe('application/json')
    expect(delivery?.event).toMatchObject({ verb: 'create', object: { type: 'member', member_id: id } })
    expect(delivery?.event).toEqual(await tenant.client.events.get(delivery?.event.id as string))
  })

  test('2: only the application that created a webhook sees it and its deliveries', async () => {
    const { id } = await subscribe([member])
    await tenant.client.members.create({})
    await sink.waitFor(1)
    const other = tenant.clientWith(['full_read_write'], (await w.tenant()).oauth_application_id)
    await expect(other.webhooks.get(id)).rejects.toMatchObject({ status: 404 })
    await expect(other.webhook_deliveries.list(id)).rejects.toMatchObject({ status: 404 })
    await expect(other.webhooks.test(id)).rejects.toMatchObject({ status: 404 })
    const reader = tenant.clientWith(['full_read_only'])
    expect((await reader.webhook_deliveries.list(id)).data).toHaveLength(1)
  })

  test('3: an empty filter matches nothing; a rule without a verb, or with null, matches all of its type', async () => {
    const none = await receiver()
    await tenant.client.webhooks.create({ url: none.url, filter: [] })
    await subscribe([{ object_type: 'member', verb: null }])
    const { id } = await tenant.client.members.create({})
    await tenant.client.members.edit(id, { name: 'Ada' })
    await tenant.client.members.delete(id)
    await tenant.client.sites.create({ name: 'Elsewhere', timezone: 'UTC' })
    await sink.waitFor(3)
    await settle()
    expect(sink.received.map(({ event }) => event.verb).sort()).toEqual(['create', 'delete', 'edit'])
    expect(none.received).toEqual([])
    await none[Symbol.asyncDispose]()
  })

  test('a rule with null for the job leaves out what imports write, and lists can ask so as well', async () => {
    await using _ = new JobRunner(w.server.context, jobTypes)
    await subscribe([{ ...member, 'object.job_id': null }])
    const job = await importFile(tenant, 'external_id,name\nA,Ann\nB,Bob\n')
    const { id } = await tenant.client.members.create({ name: 'Cat' })
    await sink.waitFor(1)
    await settle()
    expect(sink.received).toMatchObject([{ event: { object: { member_id: id } } }])
    const listed = async (job_id: string) =>
      (await tenant.client.events.list({ 'object.job_id': job_id, 'object.type': 'member' })).data
    expect((await listed('null')).map(({ object }) => object.member_id)).toEqual([id])
    expect(await listed(job.id)).toHaveLength(2)
    const wrong = subscribe([{ ...member, 'object.member_id': null }])
    await expect(wrong).rejects.toMatchObject({ status: 400 })
  })

  test('4: several rules send an event once, several webhooks once each, also to the same URL', async () => {
    await subscribe([member, { object_type: 'member', verb: 'create' }, { 'object.type': 'member' }])
    await subscribe([member])
    await tenant.client.members.create({})
    await sink.waitFor(2)
    await settle()
    expect(sink.received).toHaveLength(2)
    expect(new Set(sink.received.map(({ event }) => event.id)).size).toBe(1)
  })

  test('5: rules take every list-events filter, in both spellings of the type', async () => {
    const [one, other] = await Promise.all([1, 2].map(() => tenant.client.members.create({})))
    await subscribe([
      {
        'object.type': 'member',
        'object.member_id': one?.id,
        verb: 'edit',
        'created_at:gt': '2020-01-01T00:00:00Z',
      },
      { object_type: 'member', 'created_at:lt': '2020-01-01T00:00:00Z' },
    ])
    await tenant.client.members.edit(other?.id as string, { name: 'No' })
    await tenant.client.members.edit(one?.id as string, { name: 'Yes' })
    await sink.waitFor(1)
    await settle()
    expect(sink.received.map(({ event }) => (event.object as { member_id: string }).member_id)).toEqual([
      one?.id,
    ])
  })

  test('the signature is over the raw bytes: by ten lines from the spec, by standardwebhooks, by the SDK', async () => {
    w.clock.set(new Date().toISOString())
    const { secret } = await subscribe([member])
    await tenant.client.members.create({ name: 'Ünï – 名前' })
    const [delivery] = await sink.waitFor(1)
    if (!delivery) throw new Error('nothing came')
    const { body, headers } = delivery
    const expected = createHmac('sha256', secret).update(body).digest()
    const given = Buffer.from(headers['x-service-sig-sha256'] as string, 'hex')
    expect(timingSafeEqual(expected, given)).toBe(true)
    expect(new Webhook(secret).verify(body.toString(), headers as Record<string, string>)).toEqual(
      delivery.event,
    )
    expect(await verifyWebhook({ body, headers, secret })).toEqual(delivery.event)
    const forged = Buffer.from(body.toString().replace('create', 'delete'))
    expect(() => new Webhook(secret).verify(forged.toString(), headers as Record<string, string>)).toThrow()
    expect(headers['webhook-id']).toBe(delivery.event.id)
  })

  test('success is any 2xx and nothing else; every attempt has the same bytes', async () => {
    for (const status of [200, 201, 204, 299]) {
      sink.respond = status
      const { id } = await subscribe([member])
      const { id: member_id } = await tenant.client.members.create({})
      const before = sink.received.length
      await expect
        .poll(() => lastDelivery(id))
        .toMatchObject({ status: 'succeeded', attempts: [{ status_code: status }] })
      await tenant.client.webhooks.delete(id)
      expect([member_id, sink.received.length]).toEqual([member_id, Math.max(before, sink.received.length)])
    }
    for (const status of [301, 302, 400, 404, 410, 500, 503]) {
      sink.received.length = 0
      sink.respond = response => response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end('no')
      const { id } = await subscribe([member])
      await tenant.client.members.create({})
      await expect
        .poll(() => lastDelivery(id))
        .toMatchObject({ status: 'pending', attempts: [{ status_code: status, answer: 'no', error: null }] })
      w.clock.advance(4)
      w.server.context.deliveries.notify()
      await sink.waitFor(2)
      expect(sink.received[1]?.body.equals(sink.received[0]?.body as Buffer)).toBe(true)
      await tenant.client.webhooks.delete(id)
    }
  })

  test('expands are rendered as the owning application would see them', async () => {
    await subscribe([{ object_type: 'member' }, { object_type: 'webhook' }], {
      expand: ['object_member', 'object_webhook', 'subject_oauth_application'],
    })
    const foreign = await w.tenant()
    const other = tenant.clientWith(['full_read_write'], foreign.oauth_application_id)
    await tenant.client.members.create({ name: 'Ada' })
    const [first] = await sink.waitFor(1)
    expect(first?.event).toMatchObject({ object_member: { name: 'Ada' } })
    await other.webhooks.create({ url: sink.url, filter: [] })
    await sink.waitFor(2)
    expect(sink.received[1]?.event).toMatchObject({ object: { type: 'webhook' } })
    expect(sink.received[1]?.event).not.toHaveProperty('object_webhook')
  })
})

async function lastDelivery(webhookId: string) {
  const { data } = await tenant.client.webhook_deliveries.list(webhookId)
  return data[0]
}
