import { type Parts, parseListQuery, parseShape, resources } from '@gatehouse/api'
import type { Row } from '../../database/db.ts'
import {
  findPayload,
  replayEvents,
  retryDelivery,
  testWebhook,
} from '../../services/applications/webhook-deliveries.ts'
import type { ActionInput } from '../../services/objects/action.ts'
import { getObject } from '../../services/objects/objects.ts'
import { expandObjects } from '../../store/expand.ts'
import { listObjects } from '../../store/list.ts'
import { bodyOf } from '../kit/body.ts'
import type { Visit } from './visit.ts'
import { enter } from './webhooks.ts'

const resource = resources.webhook_delivery
const range = resources.webhook.actions?.replay?.body as Parts

/** What was sent to a webhook, for the developer of its application; otherwise as in `/v2/webhooks/…/deliveries`. */
export async function getDeliveries(visit: Visit): Promise<object> {
  const { work, target, log } = await enterLog(visit)
  await getObject(work, target, visit.ids.webhook_id as string)
  const query = parseListQuery(resource, visit.request.query as Record<string, string>)
  const page = await listObjects(work.db, resource, log.reach, query)
  await expandObjects(work.db, resource, log.reach, page.data, query.expand)
  return page
}

/** With what is sent, byte for byte; null when that is no longer kept. */
export async function getDelivery(visit: Visit): Promise<object> {
  const { work, log } = await enterLog(visit)
  const id = visit.ids.webhook_delivery_id as string
  const delivery = await getObject(work, log, id)
  return { ...delivery, payload: await findPayload(work.db, work.caller.organization_id, id) }
}

export async function sendAgain(visit: Visit): Promise<object> {
  const { work, log } = await enterLog(visit)
  const id = visit.ids.webhook_delivery_id as string
  return sent(visit, retryDelivery({ ...inputOf(visit, {}), work, target: log, id }))
}

export async function sendTest(visit: Visit): Promise<object> {
  const { work, target } = await enter(visit)
  const id = visit.ids.webhook_id as string
  return sent(visit, testWebhook({ ...inputOf(visit, {}), work, target, id }))
}

export async function replay(visit: Visit): Promise<object> {
  const { work, target } = await enter(visit)
  const id = visit.ids.webhook_id as string
  return sent(visit, replayEvents({ ...inputOf(visit, range), work, target, id }))
}

async function enterLog(visit: Visit) {
  const { work, target } = await enter(visit)
  const parent = { field: 'webhook_id', id: visit.ids.webhook_id as string }
  return { work, target, log: { resource, reach: { ...target.reach, parent } } }
}

function inputOf({ request, ids }: Visit, body: Parts): Pick<ActionInput, 'ids' | 'query' | 'readBody'> {
  return { ids, query: {}, readBody: () => parseShape(body, bodyOf(request), '') as Row }
}

/** Something is due now. */
async function sent({ context }: Visit, work: Promise<Row>): Promise<object> {
  const answer = await work
  context.deliveries.ring()
  return answer
}
