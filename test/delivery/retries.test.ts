import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { addSeconds } from '@gatehouse-access/core'
import {
  type Receiver,
  receiver,
  soak,
  type Tenant,
  type World,
  within,
  world,
} from '@gatehouse-access/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  dueAfter,
  nextAttempt,
  parseRetryAfter,
} from '../../packages/server/src/delivery/webhooks/retry-schedule.ts'
import { newId } from '../../packages/server/src/store/ids.ts'

let w: World
let tenant: Tenant
let sink: Receiver
let webhookId: string

beforeAll(async () => {
  w = await world({ delivery: true })
})
afterAll(() => w[Symbol.asyncDispose]())
beforeEach(async () => {
  tenant = await w.tenant()
  sink = await receiver(500)
  webhookId = (await tenant.client.webhooks.create({ url: sink.url, filter: [{ object_type: 'site' }] })).id
})
afterEach(async () => {
  await tenant.client.webhooks.delete(webhookId)
  await sink[Symbol.asyncDispose]()
})

const happen = () => tenant.client.sites.create({ name: 'Here', timezone: 'UTC' })
const deliveries = async () => (await tenant.client.webhook_deliveries.list(webhookId)).data
const latest = async () => (await deliveries())[0]

async function move(seconds: number): Promise<void> {
  w.clock.advance(seconds)
  w.server.context.deliveries.notify()
}

describe('the retry times', () => {
  test('are 0, 3.5, 10.5, 24.5 … 3,580.5 s after the first attempt began', () => {
    expect(dueAfter).toEqual([0, 3.5, 10.5, 24.5, 52.5, 108.5, 220.5, 444.5, 892.5, 1788.5, 3580.5])
  })

  test('jitter only makes them earlier, by at most a tenth of the gap; Retry-After only later', () => {
    const began = '2026-11-14T09:30:00.000000Z'
    const due = (round_place: number, elapsed: number, jitter: number, retry_after?: number) => {
      const attempted_at = addSeconds(began, elapsed)
      const times = { round_started_at: began, round_place, previous_at: null, attempted_at }
      return nextAttempt({ ...times, ended_at: attempted_at, retry_after, jitter })?.next_attempt_at
    }
    expect(due(0, 0, 0)).toBe('2026-11-14T09:30:03.500000Z')
    expect(due(0, 0, 1)).toBe('2026-11-14T09:30:03.150000Z')
    expect(due(1, 4, 1)).toBe('2026-11-14T09:30:09.800000Z')
    expect(due(1, 2000, 0)).toBe('2026-11-14T10:29:40.500000Z')
    expect(due(1, 3581, 0)).toBe(undefined)
    expect(due(1, 4, 0, 100)).toBe('2026-11-14T09:31:44.000000Z')
    expect(due(1, 4, 0, 2)).toBe('2026-11-14T09:30:10.500000Z')
    expect(due(1, 4, 0, 1e6)).toBe('2026-11-14T10:29:40.500000Z')
  })

  test('Retry-After is seconds or a date', () => {
    expect(parseRetryAfter('120', '2026-11-14T09:30:00.000000Z')).toBe(120)
    expect(parseRetryAfter('Sat, 14 Nov 2026 09:31:00 GMT', '2026-11-14T09:30:00.000000Z')).toBe(60)
    expect(parseRetryAfter('soon', '2026-11-14T09:30:00.000000Z')).toBe(undefined)
  })

  soak(
    'an hour of failures: eleven attempts at their times, then failed, and listed',
    {
      ...within(60),
    },
    async () => {
      await happen()
      await sink.waitFor(1)
      for (let count = 2; count <= dueAfter.length; count++) {
        await expect.poll(async () => (await latest())?.attempts.length).toBe(count - 1)
        const gap = (dueAfter[count - 1] as number) - (dueAfter[count - 2] as number)
        await move(gap * 0.89)
        await sleep(300)
        expect(sink.received).toHaveLength(count - 1)
        await move(gap * 0.115)
        await sink.waitFor(count)
      }
      await expect
        .poll(latest)
        .toMatchObject({ status: 'failed', next_attempt_at: null, finished_at: expect.any(String) })
      const failed = await latest()
      expect(failed?.attempts).toHaveLength(11)
      for (const attempt of failed?.attempts ?? [])
        expect(attempt).toMatchObject({
          status_code: 500,
          answer: '{"ok":true}',
          error: null,
          latency: expect.any(Number),
        })
      await move(7200)
      await sleep(400)
      expect(sink.received).toHaveLength(11)
      expect(
        (await tenant.client.webhook_deliveries.list(webhookId, { status: 'failed' })).data,
      ).toHaveLength(1)
    },
  )

  test('Retry-After is honoured within the window', async () => {
    sink.respond = response => response.writeHead(429, { 'retry-after': '60' }).end()
    await happen()
    await sink.waitFor(1)
    await expect.poll(async () => (await latest())?.attempts.length).toBe(1)
    await move(50)
    await sleep(400)
    expect(sink.received).toHaveLength(1)
    sink.respond = 204
    await move(11)
    await expect.poll(latest).toMatchObject({
      status: 'succeeded',
      attempts: [{ status_code: 429 }, { status_code: 204, answer: null }],
    })
  })
})

describe('by hand', () => {
  test('a failed delivery is retried, and has another hour', async () => {
    await happen()
    await sink.waitFor(1)
    await expect.poll(async () => (await latest())?.attempts.length).toBe(1)
    await move(4000)
    await expect.poll(async () => (await latest())?.status).toBe('failed')
    const { id } = (await latest()) as { id: string }
    expect(await tenant.client.webhook_deliveries.retry(webhookId, id)).toMatchObject({ status: 'pending' })
    await sink.waitFor(3)
    await expect.poll(latest).toMatchObject({ status: 'pending', attempts: [{}, {}, {}] })
    sink.respond = 200
    await move(4)
    await expect.poll(latest).toMatchObject({ status: 'succeeded', attempts: [{}, {}, {}, {}] })
    const bodies = sink.received.map(({ body }) => body.toString())
    expect(new Set(bodies).size).toBe(1)
  })

  test('a test send reaches the receiver whatever the filter, and is an event', async () => {
    sink.respond = 200
    const { webhook_delivery_id } = await tenant.client.webhooks.test(webhookId)
    const [{ event } = { event: {} }] = await sink.waitFor(1)
    expect(event).toMatchObject({ verb: 'use', object: { type: 'webhook', webhook_id: webhookId } })
    await expect
      .poll(() => tenant.client.webhook_deliveries.get(webhookId, webhook_delivery_id))
      .toMatchObject({ status: 'succeeded', event_id: (event as { id: string }).id })
  })

  test('what still waits for its first attempt is replayed too, and the log has each event once', async () => {
    const open: ServerResponse[] = []
    sink.respond = response => void open.push(response)
    const starts_at = w.clock.now()
    for (let index = 0; index < 12; index++) await happen()
    await expect.poll(() => open.length).toBe(8)
    expect(await tenant.client.webhooks.replay(webhookId, { starts_at })).toMatchObject({ count: 12 })
    sink.respond = 200
    for (const response of open) response.writeHead(200).end()
    await expect
      .poll(async () => (await deliveries()).map(({ status }) => status))
      .toEqual(Array.from({ length: 12 }, () => 'succeeded'))
    expect(new Set((await deliveries()).map(({ event_id }) => event_id)).size).toBe(12)
    expect(new Set(sink.received.map(({ event }) => (event as { id: string }).id)).size).toBe(12)
  })

  test('a time range is replayed, what matches only, delivered or not', async () => {
    sink.respond = 200
    const starts_at = w.clock.now()
    for (let index = 0; index < 3; index++) await happen()
    await tenant.client.members.create({})
    const ends_at = w.clock.now()
    const later = await happen()
    await sink.waitFor(4)
    // Outcomes are written in batches, after the receiver has responded.
    await expect
      .poll(async () => (await deliveries()).map(({ status }) => status))
      .toEqual(Array(4).fill('succeeded'))
    expect(await tenant.client.webhooks.replay(webhookId, { starts_at, ends_at })).toEqual({
      count: 3,
      continue_at: null,
    })
    await sink.waitFor(7)
    // Deliveries of events that were found together have no defined order.
    const attempts = async () => (await deliveries()).map(one => one.attempts.length).sort()
    await expect.poll(attempts).toEqual([1, 2, 2, 2])
    const once = (await deliveries()).find(one => one.attempts.length === 1)
    const { object } = await tenant.client.events.get(once?.event_id as string)
    expect(object).toMatchObject({ site_id: later.id })
  })
})

describe('stopping', () => {
  test('a deleted webhook gets nothing more; what was pending is canceled', async () => {
    await happen()
    await sink.waitFor(1)
    await expect.poll(async () => (await latest())?.attempts.length).toBe(1)
    await tenant.client.webhooks.delete(webhookId)
    await happen()
    await move(4)
    await expect.poll(latest).toMatchObject({ status: 'canceled', attempts: [{}] })
    await sleep(300)
    expect(sink.received).toHaveLength(1)
    await expect(tenant.client.webhooks.test(webhookId)).rejects.toMatchObject({ status: 400 })
  })

  test('deleting a webhook cancels what waits for its first attempt, and the lane comes to rest', async () => {
    const open: ServerResponse[] = []
    sink.respond = response => void open.push(response)
    for (let index = 0; index < 12; index++) await happen()
    await expect.poll(() => open.length).toBe(8)
    // An event that is not queued yet would find the webhook deleted.
    const queued = () =>
      w.server.context.db.query(
        'SELECT sum(cardinality(event_ids))::integer AS events FROM webhook_batches WHERE webhook_id = $1',
        [webhookId],
      )
    await expect.poll(queued).toEqual([{ events: 12 }])
    await tenant.client.webhooks.delete(webhookId)
    const statuses = async () => (await deliveries()).map(({ status }) => status).sort()
    await expect.poll(statuses).toEqual(Array(12).fill('canceled'))
    for (const response of open) response.writeHead(200).end()
    await expect.poll(statuses).toEqual([...Array(4).fill('canceled'), ...Array(8).fill('succeeded')])
    const waiting = () =>
      w.server.context.db.query('SELECT 1 FROM webhook_batches WHERE webhook_id = $1', [webhookId])
    await expect.poll(waiting).toEqual([])
    expect(sink.received).toHaveLength(8)
  })

  test('days of failure switch it off, with an event and a reason; switching it on again clears that', async () => {
    await happen()
    await sink.waitFor(1)
    await expect.poll(async () => (await latest())?.attempts.length).toBe(1)
    await move(5 * 24 * 3600 + 60)
    const webhook = () => tenant.client.webhooks.get(webhookId)
    await expect.poll(webhook).toMatchObject({ is_enabled: false, disabled_reason: 'failing' })
    const { data } = await tenant.client.events.list({ 'object.webhook_id': webhookId, verb: 'edit' })
    expect(data).toMatchObject([{ subject: { oauth_application_id: null, user_id: null } }])
    expect(await tenant.client.webhooks.edit(webhookId, { is_enabled: true })).toMatchObject({
      disabled_reason: null,
    })
  })

  test('the developer of the application is told by mail, once, without what the address may hide', async () => {
    const { db, mailer } = w.server.context
    const email = `developer-${tenant.organization_id}@example.com`
    await db.query(
      `INSERT INTO users (id, name, email, email_key, created_at) VALUES ($1, 'Dev', $2, $2, now())`,
      [newId('user', w.clock.now()), email],
    )
    await db.query(
      'UPDATE oauth_applications SET developer_id = (SELECT id FROM users WHERE email = $2) WHERE id = $1',
      [tenant.oauth_application_id, email],
    )
    await tenant.client.webhooks.edit(webhookId, { url: `${sink.url}/hook?key=only-for-the-receiver` })
    for (let count = 0; count < 3; count++) await happen()
    await sink.waitFor(3)
    await expect
      .poll(async () => (await deliveries()).map(({ attempts }) => attempts.length))
      .toEqual([1, 1, 1])
    await move(5 * 24 * 3600 + 60)
    const mails = () => mailer.outbox?.filter(({ to }) => to === email) ?? []
    await expect.poll(() => mails().length).toBe(1)
    await sleep(500)
    expect(mails()).toMatchObject([{ kind: 'webhook_disabled' }])
    const { subject, text } = mails()[0] as { subject: string; text: string }
    expect(subject).toContain('Test organization integration')
    expect(text).toContain(webhookId)
    expect(text).toContain(new URL(sink.url).host)
    expect(text).not.toContain('only-for-the-receiver')
  })

  test('deliveries are kept 30 days', async () => {
    sink.respond = 200
    await happen()
    await expect.poll(latest).toMatchObject({ status: 'succeeded' })
    const { cleanUp } = await import('../../packages/server/src/jobs/clean-up.ts')
    await move(29 * 24 * 3600)
    await cleanUp(w.server.context)
    expect(await deliveries()).toHaveLength(1)
    await move(25 * 3600)
    await cleanUp(w.server.context)
    expect(await deliveries()).toHaveLength(0)
  })
})
