import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Bodies } from '../../packages/server/src/delivery/webhooks/bodies.ts'
import { storeOutcomes } from '../../packages/server/src/delivery/webhooks/store-outcomes.ts'
import { emptyDeliveries } from '../../packages/server/src/erasing/empty-deliveries.ts'
import type { EventColumns } from '../../packages/server/src/events/feed-event.ts'
import { present } from '../../packages/server/src/flow/present.ts'
import { newId } from '../../packages/server/src/store/ids.ts'

let w: World
let tenant: Tenant

beforeAll(async () => {
  w = await world()
  tenant = await w.tenant()
})
afterAll(() => w[Symbol.asyncDispose]())

type Db = Parameters<typeof storeOutcomes>[0]

/** An event that was sent, and what is recorded and emptied of it. */
async function sentEvent() {
  const { organization_id, oauth_application_id, client } = tenant
  const { db } = w.server.context
  const webhook = await client.webhooks.create({ url: 'https://example.com/hook' })
  const [event] = await db.query<EventColumns>(
    `SELECT * FROM events WHERE organization_id = $1 AND object->>'webhook_id' = $2`,
    [organization_id, webhook.id],
  )
  const { id } = present(event, 'the creation of the webhook')
  const now = w.clock.now()
  await db.query('INSERT INTO webhook_bodies VALUES ($1, $2, $3, $4, $5)', [
    organization_id,
    id,
    'all',
    'Ann',
    now,
  ])
  const source = {
    organization_id,
    webhook_id: webhook.id,
    oauth_application_id,
    reader: 'all',
    created_at: now,
  }
  const record = (inner: Db) =>
    storeOutcomes(inner, [{ delivery: deliveryOf(id, source, now), ...failedAt(now) }], [])
  const empty = (inner: Db) => emptyDeliveries(inner, { organization_id, event_ids: [id] }, now)
  const answers = async () => {
    const rows = await db.query<{ attempts: { answer: string | null }[] }>(
      'SELECT attempts FROM webhook_deliveries WHERE organization_id = $1 AND event_id = $2',
      [organization_id, id],
    )
    return rows.flatMap(({ attempts }) => attempts.map(({ answer }) => answer))
  }
  const pending = async () => {
    const rows = await db.query<{
      status: string
      next_attempt_at: string | null
      finished_at: string | null
    }>(
      'SELECT status, next_attempt_at, finished_at FROM webhook_deliveries WHERE organization_id = $1 AND event_id = $2',
      [organization_id, id],
    )
    return rows.map(({ status, next_attempt_at, finished_at }) => [
      status,
      next_attempt_at,
      finished_at !== null,
    ])
  }
  return { id, record, empty, answers, pending }
}

function deliveryOf(event_id: string, source: object & { reader: string }, now: string) {
  return {
    id: newId('webhook_delivery', now),
    event_id,
    source: source as never,
    body: Buffer.from('Ann'),
    round_started_at: null,
    round_place: 0,
    previous_at: null,
    due_at: now,
    batch: { id: '1', left: new Set<string>() },
  }
}

const failedAt = (now: string) => ({
  attempt: { attempted_at: now, status_code: 500, latency: 0.01, error: null, answer: 'no Ann here' },
  status: 'pending' as const,
  round_started_at: now,
  round_place: 1,
  next_attempt_at: now,
  finished_at: null,
})

/** Runs the first in a transaction that ends once the second waits for it, or has had time to go on without. */
async function overlap(first: (db: Db) => Promise<unknown>, second: (db: Db) => Promise<unknown>) {
  const { db } = w.server.context
  const waiting = () =>
    db.query(
      'SELECT 1 FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE NOT l.granted AND a.datname = current_database()',
    )
  let running: Promise<unknown> | undefined
  await db.transaction(async inner => {
    await first(inner)
    running = second(db)
    for (let looks = 0; looks < 100 && (await waiting()).length === 0; looks++)
      await Promise.race([running, new Promise(resolve => setTimeout(resolve, 5))])
  })
  await running
}

test('an answer that is recorded while its event is emptied is not kept', async () => {
  const { record, empty, answers, pending } = await sentEvent()
  await overlap(empty, record)
  expect(await answers()).toEqual([null])
  expect(await pending()).toEqual([['canceled', null, true]])
})

test('an answer that is being recorded when its event is emptied is emptied, too', async () => {
  const { record, empty, answers, pending } = await sentEvent()
  await overlap(record, empty)
  expect(await answers()).toEqual([null])
  expect(await pending()).toEqual([['canceled', null, true]])
})

test('an answer to an event that nobody empties is kept', async () => {
  const { record, answers, pending } = await sentEvent()
  await record(w.server.context.db)
  expect(await answers()).toEqual(['no Ann here'])
  expect(await pending()).toMatchObject([['pending', expect.any(String), false]])
})

test('what waits in the memory of a process is not sent any more once its event is emptied', async () => {
  const { id, empty } = await sentEvent()
  const { db } = w.server.context
  const bodies = new Bodies()
  const load = async () => [...(await bodies.load(db, tenant.organization_id, 'all', [id])).keys()]
  expect(await load()).toEqual([id])
  expect(await load()).toEqual([id])
  await empty(db)
  expect(await load()).toEqual([])
})
