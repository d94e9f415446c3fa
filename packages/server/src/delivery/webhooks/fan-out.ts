import type { Context } from '../../context.ts'
import type { Consumer } from '../../events/consumer.ts'
import type { FeedEvent } from '../../events/feed.ts'
import type { Database, Row } from '../../store/db.ts'
import { type NewDelivery, queueDeliveries } from '../../store/deliveries.ts'
import { renderEvents } from '../../store/render-events.ts'
import { type Subscriber, WebhookIndex } from './webhook-index.ts'

type Part = Pick<Context, 'db' | 'clock' | 'metrics'>

/**
 * Turns the feed into deliveries: one for each event and each webhook it matches, in the transaction that moves the
 * cursor, so never none and never two. Webhooks that change are themselves events of the feed, which keeps the index up
 * to date without asking the database.
 */
export function fanOut({ db, clock, metrics }: Part, queued: (ids: readonly string[]) => void): Consumer {
  let index = new WebhookIndex()
  let touched: readonly string[] = []
  return {
    name: 'webhooks',
    rest: 10,
    async begin() {
      index = new WebhookIndex()
      for (const webhook of await loadSubscribers(db)) index.put(webhook)
    },
    async handle(inner, events) {
      await refresh(inner, index, events)
      const deliveries = await prepare(inner, index, events)
      await queueDeliveries(inner, deliveries, clock.now())
      metrics.count('gatehouse_deliveries_queued_total', {}, deliveries.length)
      touched = [...new Set(deliveries.map(({ webhook_id }) => webhook_id))]
    },
    afterCommit: () => queued(touched),
  }
}

async function refresh(db: Database, index: WebhookIndex, events: readonly FeedEvent[]): Promise<void> {
  const ids = events.flatMap(({ event }) => changedWebhook(event) ?? [])
  if (ids.length === 0) return
  for (const id of ids) index.remove(id)
  for (const webhook of await loadSubscribers(db, ids)) index.put(webhook)
}

export function changedWebhook(event: Row): string | undefined {
  const { type, webhook_id } = event.object as { type: string; webhook_id?: string }
  return type === 'webhook' && event.verb !== 'use' ? webhook_id : undefined
}

/** After everything of a transaction: that which created the webhook is not sent to it. */
const lastSequence = '9'.repeat(18)

/** Webhooks that are alive and switched on: all, or those with these ids. */
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
  readonly event: Row
}

/** Webhooks of one application with the same expands share their bodies. */
async function prepare(
  db: Database,
  index: WebhookIndex,
  events: readonly FeedEvent[],
): Promise<NewDelivery[]> {
  const pairs = events.flatMap(entry => index.match(entry).map(webhook => ({ webhook, event: entry.event })))
  const deliveries: NewDelivery[] = []
  for (const group of Map.groupBy(pairs, readerKey).values()) deliveries.push(...(await render(db, group)))
  return deliveries
}

function readerKey({ webhook }: Pair): string {
  const { organization_id, oauth_application_id, expand } = webhook
  return expand.length === 0 ? '' : `${organization_id} ${oauth_application_id} ${expand.join()}`
}

async function render(db: Database, pairs: readonly Pair[]): Promise<NewDelivery[]> {
  const reader = (pairs[0] as Pair).webhook
  const events = [...new Set(pairs.map(({ event }) => event))]
  const texts = await renderEvents(db, reader, events)
  const bodies = new Map(events.map((event, at) => [event, texts[at] as string]))
  return pairs.map(({ webhook, event }) => ({
    organization_id: webhook.organization_id,
    webhook_id: webhook.id,
    oauth_application_id: webhook.oauth_application_id,
    event_id: event.id as string,
    body: bodies.get(event) as string,
  }))
}
