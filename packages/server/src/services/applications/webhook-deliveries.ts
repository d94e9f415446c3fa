import {
  invalid,
  longestReplay,
  matches,
  parseListQuery,
  type Resources,
  resources,
  ruleConditions,
  type StoredOf,
} from '@gatehouse-access/api'
import type { Database, Row } from '../../database/db.ts'
import { present } from '../../flow/present.ts'
import { type NewDelivery, queueDeliveries, wakeLanes } from '../../store/deliveries.ts'
import { findObject } from '../../store/find.ts'
import { listObjects } from '../../store/list.ts'
import { readerName, renderEvents } from '../../store/render-events.ts'
import { logObject } from '../../store/write.ts'
import type { InputOf } from '../objects/action.ts'
import type { Work } from '../objects/context.ts'
import { getObject } from '../objects/objects.ts'

type Webhook = StoredOf<Resources['webhook']>
type Event = StoredOf<Resources['event']>
/** Input from applications (API) and from their developers (console). */
type Asked<
  K extends 'webhook' | 'webhook_delivery',
  Name extends keyof NonNullable<Resources[K]['actions']>,
> = Pick<InputOf<K, Name>, 'work' | 'target' | 'id' | 'readBody'>

const mostAttempts = 200

/** Sends a delivery again, with a full round of retries. */
export async function retryDelivery({
  work,
  target,
  id,
  readBody,
}: Asked<'webhook_delivery', 'retry'>): Promise<StoredOf<Resources['webhook_delivery']>> {
  return work.db.transaction(async db => {
    const inner = { ...work, db }
    const delivery = await getObject(inner, target, id, true)
    readBody()
    await findSending(inner, delivery.webhook_id)
    if (delivery.attempts.length >= mostAttempts)
      throw invalid(
        'webhook_delivery_id',
        `the delivery was attempted ${mostAttempts} times; replay the event`,
      )
    if ((await findPayload(db, work.caller.organization_id, id)) === null)
      throw invalid(
        'webhook_delivery_id',
        'the content of the delivery is no longer stored; replay the event',
      )
    await db.query(
      `UPDATE webhook_deliveries SET status = 'pending', next_attempt_at = $3, finished_at = NULL, round_started_at = NULL
       WHERE organization_id = $1 AND id = $2`,
      [work.caller.organization_id, id, work.now],
    )
    await wakeLanes(db, [delivery], work.now)
    return getObject(inner, target, id)
  })
}

/** Writes a `use` event of the webhook and sends it to the webhook, whatever its filter says. */
export async function testWebhook({ work, id, readBody }: Asked<'webhook', 'test'>): Promise<Row> {
  return work.db.transaction(async db => {
    const inner = { ...work, db }
    const webhook = await findSending(inner, id)
    readBody()
    const event_id = await logObject(inner, resources.webhook, 'use', webhook)
    const { organization_id } = work.caller
    const event = await findObject(db, resources.event, { organization_id }, event_id)
    const deliveries = await prepare(inner, webhook, event ? [event] : [])
    const [queued] = await queueDeliveries(db, deliveries, work.now)
    return { webhook_delivery_id: queued }
  })
}

/** Sends the matching events of a time range again, including those already delivered. */
export async function replayEvents({ work, id, readBody }: Asked<'webhook', 'replay'>): Promise<Row> {
  return work.db.transaction(async db => {
    const inner = { ...work, db }
    const webhook = await findSending(inner, id)
    const { starts_at, ends_at = work.now } = readBody()
    if (ends_at <= starts_at) throw invalid('ends_at', 'ends_at must be after starts_at')
    const { events, continue_at } = await findMatching(inner, webhook, starts_at, ends_at)
    await work.context.quotas.take(db, 'waiting_delivery', [work.caller.organization_id, id], events.length)
    await queueDeliveries(db, await prepare(inner, webhook, events), work.now, 'renew')
    return { count: events.length, continue_at }
  })
}

async function findSending(work: Work, id: string): Promise<Webhook> {
  const { organization_id, oauth_application_id } = work.caller
  const reach = { organization_id, oauth_application_id }
  const webhook = await getObject(work, { resource: resources.webhook, reach }, id)
  if (webhook.is_deleted) throw invalid('webhook_id', 'the webhook is deleted; nothing more is sent to it')
  if (!webhook.is_enabled)
    throw invalid('webhook_id', 'the webhook is turned off; set is_enabled to true first')
  return webhook
}

async function prepare(work: Work, webhook: Webhook, events: readonly Event[]): Promise<NewDelivery[]> {
  const { organization_id, oauth_application_id = '' } = work.caller
  const reader = { organization_id, oauth_application_id, expand: webhook.expand }
  const bodies = await renderEvents(work, reader, events)
  return events.map((event, index) => ({
    organization_id,
    oauth_application_id,
    webhook_id: webhook.id,
    event_id: event.id,
    reader: readerName(reader),
    body: present(bodies[index], 'the body of an event'),
  }))
}

/** Reads page by page, oldest first, until the range ends or the limit of one call is reached. */
async function findMatching(work: Work, webhook: Webhook, starts_at: string, ends_at: string) {
  const rules = webhook.filter.map(ruleConditions)
  const range = { 'recorded_at:ge': starts_at, 'recorded_at:lt': ends_at }
  const query = parseListQuery(resources.event, { ...range, sort: 'recorded_at:asc', limit: '100' })
  const events: Event[] = []
  for (let cursor: string | undefined; ; ) {
    const reach = { organization_id: work.caller.organization_id }
    const page = await listObjects(work.db, resources.event, reach, { ...query, limit: 1000, cursor })
    for (const event of page.data) {
      if (!rules.some(rule => matches(rule, event))) continue
      if (events.length === longestReplay) return { events, continue_at: event.recorded_at }
      events.push(event)
    }
    cursor = page.cursor_next
    if (cursor === undefined) return { events, continue_at: null }
  }
}

/** Returns the body of a delivery, or null if it is no longer stored. */
export async function findPayload(db: Database, organization_id: string, id: string): Promise<string | null> {
  const [found] = await db.query<{ body: string }>(
    `SELECT b.body FROM webhook_deliveries d JOIN webhook_bodies b USING (organization_id, event_id, reader)
     WHERE d.organization_id = $1 AND d.id = $2`,
    [organization_id, id],
  )
  return found?.body ?? null
}
