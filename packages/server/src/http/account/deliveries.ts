import { type Parts, parseListQuery, parseShape, resources, type Shape } from '@gatehouse-access/api'
import { present } from '../../flow/present.ts'
import {
  findPayload,
  replayEvents,
  retryDelivery,
  testWebhook,
} from '../../services/applications/webhook-deliveries.ts'
import { getObject } from '../../services/objects/objects.ts'
import { expandObjects } from '../../store/expand.ts'
import { listObjects } from '../../store/list.ts'
import { bodyOf } from '../kit/body.ts'
import { idOf, queryOf } from '../kit/path-and-query.ts'
import type { Visit } from './visit.ts'
import { enter } from './webhooks.ts'

const resource = resources.webhook_delivery
const { replay: replaying } = present(resources.webhook.actions, 'the actions of webhooks')

/**
 * Lists what was sent to a webhook, for the developer of its application. Otherwise like
 * `/v2/webhooks/…/deliveries`.
 */
export async function getDeliveries(visit: Visit): Promise<object> {
  const { work, target, log } = await enterLog(visit)
  await getObject(work, target, idOf(visit, 'webhook_id'))
  const query = parseListQuery(resource, queryOf(visit.request))
  const page = await listObjects(work.db, resource, log.reach, query)
  await expandObjects(work, resource, log.reach, page.data, query.expand)
  return page
}

/** Includes the payload byte for byte, or null if it is no longer stored. */
export async function getDelivery(visit: Visit): Promise<object> {
  const { work, log } = await enterLog(visit)
  const id = idOf(visit, 'webhook_delivery_id')
  const delivery = await getObject(work, log, id)
  return { ...delivery, payload: await findPayload(work.db, work.caller.organization_id, id) }
}

export async function sendAgain(visit: Visit): Promise<object> {
  const { work, log } = await enterLog(visit)
  const id = idOf(visit, 'webhook_delivery_id')
  return sent(visit, retryDelivery({ readBody: () => readParts(visit, {}), work, target: log, id }))
}

export async function sendTest(visit: Visit): Promise<object> {
  const { work, target } = await enter(visit)
  const id = idOf(visit, 'webhook_id')
  return sent(visit, testWebhook({ readBody: () => readParts(visit, {}), work, target, id }))
}

export async function replay(visit: Visit): Promise<object> {
  const { work, target } = await enter(visit)
  const id = idOf(visit, 'webhook_id')
  return sent(visit, replayEvents({ readBody: () => readParts(visit, replaying.body), work, target, id }))
}

async function enterLog(visit: Visit) {
  const { work, target } = await enter(visit)
  const parent = { field: 'webhook_id', id: idOf(visit, 'webhook_id') }
  return { work, target, log: { resource, reach: { ...target.reach, parent } } }
}

function readParts<P extends Parts>({ request }: Visit, parts: P): Shape<P> {
  return parseShape(parts, bodyOf(request), '')
}

/** Wakes the delivery workers, since a delivery is now due. */
async function sent({ context }: Visit, work: Promise<object>): Promise<object> {
  const answer = await work
  context.deliveries.notify()
  return answer
}
