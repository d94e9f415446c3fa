import { expectedZone, invalid, nameText, refuse, required, shape, text } from '@gatehouse-access/api'
import {
  addSubscription,
  knowsEndpoint,
  listSubscriptions,
  removeSubscription,
} from '../../push/subscriptions.ts'
import { findVapidKeys } from '../../push/vapid-keys.ts'
import { vapidSubject } from '../../push/vapid-subject.ts'
import { changeSettings, findSettings, settingsParts } from '../../services/push/notification-settings.ts'
import { checkEndpoint, checkKeys } from '../../services/push/push-endpoint.ts'
import { noSubscription, sendTest } from '../../services/push/send-test.ts'
import { idOf } from '../kit/path-and-query.ts'
import { readBody, type Visit } from './visit.ts'

/** Lists the browsers of the user, and the key that browsers subscribe with, or why push is off. */
export async function getPushSubscriptions({ context, session }: Visit): Promise<object> {
  const subject = vapidSubject(context.config)
  const data = await listSubscriptions(context.db, session.user_id)
  if ('off_reason' in subject) return { data, public_key: null, off_reason: subject.off_reason }
  return { data, public_key: (await findVapidKeys(context)).public_key, off_reason: null }
}

export async function createPushSubscription(visit: Visit): Promise<object> {
  const { context, session } = visit
  const { endpoint, keys, name } = readBody(visit, {
    endpoint: required(text(2048), 'Where the push service of the browser takes messages.'),
    keys: required(
      shape({
        p256dh: required(text(200), 'The public key of the browser.'),
        auth: required(text(200), 'The secret of the browser.'),
      }),
      'What messages are encrypted with.',
    ),
    name: required(nameText, 'What the user calls the browser.'),
  })
  const subject = vapidSubject(context.config)
  if ('off_reason' in subject) throw invalid('', `push is off: ${subject.off_reason}`)
  checkEndpoint(context.config, endpoint)
  checkKeys(keys)
  const { public_key } = await findVapidKeys(context)
  return context.db.transaction(async db => {
    if (!(await knowsEndpoint(db, session.user_id, endpoint)))
      await context.quotas.take(db, 'user.push_subscription', [session.user_id])
    return addSubscription({ ...context, db }, session.user_id, { endpoint, keys, name, public_key })
  })
}

export async function deletePushSubscription(visit: Visit): Promise<object> {
  const { context, session } = visit
  const id = idOf(visit, 'push_subscription_id')
  if (!(await removeSubscription(context.db, session.user_id, id))) throw noSubscription()
  return {}
}

export function testPushSubscription(visit: Visit): Promise<object> {
  return sendTest(visit.context, visit.session.user_id, idOf(visit, 'push_subscription_id'))
}

export function getNotificationSettings({ context, session }: Visit): Promise<object> {
  return findSettings(context.db, session.user_id)
}

export async function editNotificationSettings(visit: Visit): Promise<object> {
  const { context, session } = visit
  const changes = readBody(visit, settingsParts)
  const zone = changes.quiet?.zone
  if (zone !== undefined && context.zones.find(zone) === undefined)
    return refuse('quiet.zone', expectedZone, zone)
  await changeSettings(context.db, session.user_id, changes)
  return findSettings(context.db, session.user_id)
}
