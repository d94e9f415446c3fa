import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Receiver,
  receiver,
  soak,
  type Tenant,
  type World,
  within,
  world,
} from '@gatehouse-access/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { largestEvent } from '../../packages/server/src/store/render-events.ts'
import { StreamClient } from '../stream/stream-client.ts'

let w: World
let tenant: Tenant
let other: Tenant
let sink: Receiver
let sinkOfOther: Receiver

beforeEach(async () => {
  w = await world({ delivery: true })
  tenant = await w.tenant()
  other = await w.tenant()
  sink = await receiver()
  sinkOfOther = await receiver()
  await other.client.webhooks.create({ url: sinkOfOther.url, filter: [{ object_type: 'site' }] })
})
afterEach(async () => {
  await w[Symbol.asyncDispose]()
  await sink[Symbol.asyncDispose]()
  await sinkOfOther[Symbol.asyncDispose]()
})

const run = <R extends object = object>(text: string, ...params: unknown[]) =>
  w.server.context.db.query<R>(text, params)
const happenToOther = () => other.client.sites.create({ name: 'There', timezone: 'UTC' })

/** Never exceeds the number of requests that the service accepts at once, even on a busy machine. */
async function severalAtATime(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  for (let index = 0; index < count; index += 4)
    await Promise.all([0, 1, 2, 3].filter(more => index + more < count).map(more => work(index + more)))
}

/** Adds an extreme number of emails to a member, each with the maximum metadata. */
async function addEmails(memberId: string, count: number): Promise<void> {
  await run(
    `INSERT INTO member_emails (id, organization_id, member_id, email, email_key, is_deleted, created_at, metadata, search_text)
     SELECT 'me_' || lpad(n::text, 20, '0'), $1, $2, n || '@example.com', n || '@example.com', false, now(),
       jsonb_build_object('note', repeat('x', 1000)), '' FROM generate_series(1, $3::integer) n`,
    tenant.organization_id,
    memberId,
    count,
  )
}

describe('expands that are too large', () => {
  const expand = ['object_member.emails']
  const filter = [{ object_type: 'member', verb: 'edit' }]

  soak('are left out and named; the feed goes on, and memory stays', within(120), async () => {
    const hook = await tenant.client.webhooks.create({ url: sink.url, filter, expand })
    const [large, small] = [await tenant.client.members.create({}), await tenant.client.members.create({})]
    await addEmails(large.id, 3000)
    await using cleanup = new AsyncDisposableStack()
    const client = new StreamClient(`${w.url}/v2/events/stream`, tenant.token)
    cleanup.defer(async () => client.socket.terminate())
    await client.subscribe({ filter, expand })
    await expect.poll(() => client.messages.length).toBe(1)
    const memory = watchMemory()
    await tenant.client.members.edit(small.id, { name: 'Few' })
    await sink.waitFor(1)
    const starts_at = w.clock.now()
    await severalAtATime(140, index => tenant.client.members.edit(large.id, { name: `Member ${index}` }))
    await happenToOther()
    await sinkOfOther.waitFor(1)
    await sink.waitFor(141, 60_000)
    const [first, ...rest] = sink.received
    expect(first?.event).toMatchObject({ object_member: { id: small.id, emails: [] } })
    expect(first?.event).not.toHaveProperty('expand_omitted')
    for (const { event, body } of rest) {
      expect(event).toMatchObject({ expand_omitted: expand })
      expect(event).not.toHaveProperty('object_member')
      expect(body.length).toBeLessThan(largestEvent)
    }
    await expect.poll(() => client.events.length, { timeout: 30_000 }).toBe(141)
    expect(client.events.at(-1)).toMatchObject({ expand_omitted: expand })
    expect(await tenant.client.webhooks.replay(hook.id, { starts_at })).toMatchObject({ count: 140 })
    await sink.waitFor(281, 60_000)
    expect(memory()).toBeLessThan(400)
  })

  test('an event that is large, and no larger than it may be, is sent whole', async () => {
    await tenant.client.webhooks.create({ url: sink.url, filter, expand })
    const member = await tenant.client.members.create({})
    await addEmails(member.id, 150)
    await tenant.client.members.edit(member.id, { name: 'Some' })
    await sink.waitFor(1)
    const { event, body } = sink.received[0] as Receiver['received'][0]
    expect((event.object_member as { emails: object[] }).emails).toHaveLength(150)
    expect(body.length).toBeGreaterThan(150_000)
  })
})

/** Returns a function that reports the maximum growth of the process in megabytes. */
function watchMemory(): () => number {
  const before = process.memoryUsage().rss
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 50)
  return () => {
    clearInterval(timer)
    return (most - before) / 1024 / 1024
  }
}

/** Makes PostgreSQL reject a row, as it does when a row is too large. */
async function refuseRows(table: string, condition: string): Promise<void> {
  await run(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'total size exceeds' USING ERRCODE = '54000'; END $$`)
  await run(
    `CREATE TRIGGER refuse BEFORE INSERT ON ${table} FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION refuse()`,
  )
}

describe('an event that cannot be handled', () => {
  test('is set aside and told of; all others are delivered, once', within(60), async () => {
    const filter = [{ object_type: 'site' }]
    const hook = await tenant.client.webhooks.create({ url: sink.url, filter })
    const { id } = await tenant.client.sites.create({ name: 'Poison', timezone: 'UTC' })
    await refuseRows('webhook_bodies', `NEW.body LIKE '%${id}%' AND NEW.body LIKE '%"edit"%'`)
    await severalAtATime(20, index => tenant.client.sites.create({ name: `Site ${index}`, timezone: 'UTC' }))
    await Promise.all([tenant.client.sites.edit(id, { name: 'Antidote' }), happenToOther()])
    await severalAtATime(19, happenToOther)
    await sinkOfOther.waitFor(20)
    await sink.waitFor(21)
    const failed = async () =>
      (await tenant.client.webhook_deliveries.list(hook.id, { status: 'failed' })).data
    await expect.poll(failed, { timeout: 20_000 }).toMatchObject([{ attempts: [], next_attempt_at: null }])
    const [delivery] = await failed()
    const aside = await run('SELECT consumer, event_id, organization_id, error FROM set_aside_events')
    const { organization_id } = tenant
    const event_id = delivery?.event_id
    expect(aside).toEqual([{ consumer: 'webhooks', event_id, organization_id, error: '54000' }])
    const metrics = await (await fetch(`${w.url}/metrics`)).text()
    expect(metrics).toContain('gatehouse_events_set_aside_total{consumer="webhooks"} 1')
    await expect(
      tenant.client.webhook_deliveries.retry(hook.id, delivery?.id as string),
    ).rejects.toMatchObject({ status: 400 })
    await happenToOther()
    await sinkOfOther.waitFor(21)
    expect(new Set(sink.received.map(({ event }) => event.id)).size).toBe(sink.received.length)
    await run('DROP TRIGGER refuse ON webhook_bodies')
    await tenant.client.webhooks.replay(hook.id, { starts_at: '2020-01-01T00:00:00Z' })
    await expect.poll(() => sink.received.some(({ event }) => event.id === event_id)).toBe(true)
  })

  test('stops the audit chain right before it, and the chain goes on when it can be', {
    ...within(60),
  }, async () => {
    await run('UPDATE feed_cursors SET owner = owner WHERE consumer = $1', 'audit')
    await refuseRows('audit_links', `NEW.organization_id = '${tenant.organization_id}'`)
    const count = async (table: string) =>
      Number((await run<{ count: string }>(`SELECT count(*) FROM ${table}`))[0]?.count)
    await happenToOther()
    await tenant.client.sites.create({ name: 'Poison', timezone: 'UTC' })
    await sleep(1000)
    expect(await count('audit_links')).toBeLessThan(await count('events'))
    await run('DROP TRIGGER refuse ON audit_links')
    await expect
      .poll(async () => (await count('audit_links')) === (await count('events')), { timeout: 30_000 })
      .toBe(true)
    expect(await count('set_aside_events')).toBe(0)
  })
})
