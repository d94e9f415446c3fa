import type { Database } from '../../database/db.ts'
import type { Consumer } from '../../events/consumer.ts'
import type { FeedEvent, StoredEvent } from '../../events/feed-event.ts'
import { present } from '../../flow/present.ts'
import { type NewBatch, type NewBody, portionsOf, queueBatches } from '../../store/deliveries.ts'
import type { Reading } from '../../store/expand.ts'
import { newId } from '../../store/ids.ts'
import { readerName, renderEvents } from '../../store/render-events.ts'
import type { DeliveryContext } from './context.ts'
import { type Subscriber, WebhookIndex } from './webhook-index.ts'

type Needs = Pick<DeliveryContext, 'db' | 'clock' | 'metrics' | 'zones' | 'doors'>

/** Called when deliveries to these webhooks are committed. */
export type Queued = (webhookIds: readonly string[], bodies: readonly NewBody[]) => void

/** Events per queue row, and their total body size. A lane reads a few rows at a time. */
const batchSize = 64
const batchCharacters = 256 * 1024

/**
 * Creates one delivery for each event and each matching webhook, in the transaction that moves the cursor:
 * exactly once. Changes to webhooks are events of the feed too, which keeps the index up to date without
 * polling the database.
 */
export function fanOut(context: Needs, queued: Queued): Consumer {
  const { db, clock, metrics } = context
  let index = new WebhookIndex()
  let last: Prepared = { bodies: [], batches: [] }
  return {
    name: 'webhooks',
    rest: 10,
    async begin() {
      index = new WebhookIndex()
      for (const webhook of await loadSubscribers(db)) index.put(webhook)
    },
    async prepare(events) {
      await refresh(db, index, events)
      last = await prepare({ db, context }, index, events)
    },
    handle: inner => queueBatches(inner, last.bodies, last.batches, clock.now()),
    afterCommit() {
      const count = last.batches.reduce((sum, { event_ids }) => sum + event_ids.length, 0)
      metrics.count('gatehouse_deliveries_queued_total', {}, count)
      queued([...new Set(last.batches.map(({ webhook_id }) => webhook_id))], last.bodies)
    },
    noteSetAside: (inner, entry) => logFailed(inner, index.match(entry), entry.event, clock.now()),
  }
}

async function refresh(db: Database, index: WebhookIndex, events: readonly FeedEvent[]): Promise<void> {
  const ids = events.flatMap(({ event }) => changedWebhook(event) ?? [])
  if (ids.length === 0) return
  for (const id of ids) index.remove(id)
  for (const webhook of await loadSubscribers(db, ids)) index.put(webhook)
}

export function changedWebhook({ object, verb }: StoredEvent): string | undefined {
  return object.type === 'webhook' && verb !== 'use' ? (object.webhook_id ?? undefined) : undefined
}

/** Sorts after all events of a transaction: a webhook does not get the events that created it. */
const lastSequence = '999999999999999999'

/** Loads the enabled webhooks: all, or those with these ids. */
function loadSubscribers(db: Database, ids?: readonly string[]): Promise<Subscriber[]> {
  return db.query<Subscriber>(
    `SELECT w.id, w.organization_id, w.oauth_application_id, w.filter, w.expand, l.epoch || '.' || l.transaction_id || '.${lastSequence}' AS since
     FROM webhooks w JOIN webhook_lanes l ON l.organization_id = w.organization_id AND l.webhook_id = w.id
     WHERE w.is_enabled AND NOT w.is_deleted ${ids ? 'AND w.id = ANY($1::text[])' : ''}`,
    ids ? [ids] : [],
  )
}

interface Pair {
  readonly webhook: Subscriber
  readonly event: StoredEvent
}

interface Prepared {
  readonly bodies: NewBody[]
  readonly batches: NewBatch[]
}

/** Webhooks of one application with the same expands share their bodies. */
async function prepare(
  reading: Reading,
  index: WebhookIndex,
  events: readonly FeedEvent[],
): Promise<Prepared> {
  const pairs = events.flatMap(entry => index.match(entry).map(webhook => ({ webhook, event: entry.event })))
  const bodies: NewBody[] = []
  const batches: NewBatch[] = []
  for (const group of Map.groupBy(pairs, readerKey).values()) {
    const reader = present(group[0], 'a pair').webhook
    const own = await render(reading, reader, [...new Set(group.map(({ event }) => event))])
    bodies.push(...own)
    const lengths = new Map(own.map(({ event_id, body }) => [event_id, body.length]))
    for (const [webhook, pairs] of Map.groupBy(group, pair => pair.webhook))
      batches.push(...batchesOf(webhook, pairs, lengths))
  }
  return { bodies, batches }
}

function readerKey({ webhook }: Pair): string {
  const { organization_id, expand } = webhook
  return expand.length === 0 ? '' : `${organization_id} ${readerName(webhook)}`
}

async function render(
  reading: Reading,
  reader: Subscriber,
  events: readonly StoredEvent[],
): Promise<NewBody[]> {
  const texts = await renderEvents(reading, reader, events)
  const name = readerName(reader)
  return events.map((event, at) => ({
    organization_id: event.organization_id,
    event_id: event.id,
    reader: name,
    body: present(texts[at], 'the text of an event'),
  }))
}

function batchesOf(
  webhook: Subscriber,
  pairs: readonly Pair[],
  lengths: ReadonlyMap<string, number>,
): NewBatch[] {
  const { organization_id, oauth_application_id, id: webhook_id } = webhook
  const base = { organization_id, webhook_id, oauth_application_id, reader: readerName(webhook) }
  const ids = pairs.map(({ event }) => event.id)
  const sizeOf = (id: string) => Math.max(lengths.get(id) ?? 0, batchCharacters / batchSize)
  return [...portionsOf(ids, sizeOf, batchCharacters)].map(event_ids => ({ ...base, event_ids }))
}

/** Logs a failed delivery for an event that was set aside. */
async function logFailed(
  db: Database,
  webhooks: readonly Subscriber[],
  event: StoredEvent,
  now: string,
): Promise<void> {
  for (const webhook of webhooks)
    await db.query(
      `INSERT INTO webhook_deliveries (id, organization_id, webhook_id, oauth_application_id, event_id, reader, status, attempts, finished_at, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, 'failed', '[]', $7, $7) ON CONFLICT (organization_id, webhook_id, event_id) DO NOTHING`,
      [
        newId('webhook_delivery', now),
        webhook.organization_id,
        webhook.id,
        webhook.oauth_application_id,
        event.id,
        readerName(webhook),
        now,
      ],
    )
}
