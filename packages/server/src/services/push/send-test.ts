import { RequestError } from '@gatehouse-access/api'
import type { Message } from '../../channels/message.ts'
import { sendPush } from '../../push/send-push.ts'
import { findPushTargets, noteOutcome } from '../../push/subscriptions.ts'
import { findVapidKeys } from '../../push/vapid-keys.ts'
import { vapidSubject } from '../../push/vapid-subject.ts'
import type { Context } from '../objects/context.ts'
import { findSettings } from './notification-settings.ts'

export interface TestOutcome {
  readonly is_delivered: boolean
  readonly status_code: number | null
  readonly error: string | null
  /** Whether the push service no longer knows the browser, which has therefore been removed. */
  readonly is_removed: boolean
}

/** Sends a test message to one browser of a user, at once, and returns what became of it. */
export async function sendTest(context: Context, user_id: string, id: string): Promise<TestOutcome> {
  const [target] = await findPushTargets(context, user_id, id)
  if (!target) throw noSubscription()
  const { language } = await findSettings(context.db, user_id)
  const message: Message = {
    id: `test_${id}`,
    organization: { id: user_id, name: 'Gatehouse' },
    reason: 'test',
    alarms: [],
    language,
    url: `${context.config.public_url}/`,
  }
  const [sender, keys] = await Promise.all([context.channels.sender(), findVapidKeys(context)])
  const outcome = await sendPush({ sender, keys, subject: vapidSubject(context.config) }, target, message)
  const became = await noteOutcome(context, id, outcome)
  const { is_delivered, status_code, error } = outcome
  return { is_delivered, status_code, error, is_removed: became === 'removed' }
}

export function noSubscription(): RequestError {
  return new RequestError('not_found', 'there is no push subscription with this id')
}
