import { sendHttp } from '../../channels/http.ts'
import { sendMail } from '../../channels/mail.ts'
import { type Message, severityOf } from '../../channels/message.ts'
import { sendNtfy } from '../../channels/ntfy.ts'
import { notSent, type Outcome } from '../../channels/outcome.ts'
import { findBrand } from '../../mail/brand.ts'
import { makeAcknowledgeToken } from '../../push/acknowledge-tokens.ts'
import { sendPush } from '../../push/send-push.ts'
import { findPushTargets, listSubscriptions, noteOutcome } from '../../push/subscriptions.ts'
import { findVapidKeys } from '../../push/vapid-keys.ts'
import { vapidSubject } from '../../push/vapid-subject.ts'
import { scopesOf } from '../../services/roles/roles.ts'
import type { PushReceiver, Receiver } from './find-receiver.ts'
import type { Needs } from './needs.ts'

const nobody: Outcome = {
  is_delivered: false,
  may_retry: false,
  status_code: null,
  error: null,
  answer: null,
  latency: 0,
}

/** Sends a message on the channel of its receiver, once. Never rejects because of the receiver. */
export async function sendMessage(needs: Needs, receiver: Receiver, message: Message): Promise<Outcome> {
  switch (receiver.channel) {
    case 'email':
      return mail(needs, receiver.address, message)
    case 'ntfy':
      return sendNtfy(await needs.channels.sender(), receiver, message)
    case 'http':
      return sendHttp({ sender: await needs.channels.sender(), clock: needs.clock }, receiver, message)
    case 'push':
      return pushOrMail(needs, receiver, message)
  }
}

async function mail(needs: Needs, address: string, message: Message): Promise<Outcome> {
  const brand = await findBrand(needs.db, message.organization.id)
  return sendMail(needs, { address, brand }, message)
}

/** Whom no browser can tell any more, and no mail of the same tells, gets a mail instead. */
async function pushOrMail(needs: Needs, receiver: PushReceiver, message: Message): Promise<Outcome> {
  const { instead } = receiver
  const pushed = await pushToAll(needs, receiver, message)
  if (pushed.is_delivered || pushed.may_retry || instead.mailed.includes(severityOf(message))) return pushed
  return mail(needs, instead.address, message)
}

/** To every browser of the user. One that takes it is enough: the others may be gone. */
async function pushToAll(needs: Needs, receiver: PushReceiver, message: Message): Promise<Outcome> {
  const { user_id, signed_out_at } = receiver
  const all = await listSubscriptions(needs.db, user_id)
  const browsers = all.filter(({ created_at }) => signed_out_at === null || created_at > signed_out_at)
  const outcomes = await Promise.all(
    browsers.map(({ id }) =>
      pushToOne(needs, receiver, id, message).catch(error => {
        needs.log.error({ err: error, push_subscription_id: id }, 'a message could not be pushed')
        return notSent
      }),
    ),
  )
  const find = (test: (outcome: Outcome) => boolean) => outcomes.find(test)
  return find(one => one.is_delivered) ?? find(one => one.may_retry) ?? outcomes[0] ?? nobody
}

async function pushToOne(
  needs: Needs,
  receiver: PushReceiver,
  id: string,
  message: Message,
): Promise<Outcome> {
  const [target] = await findPushTargets(needs, receiver.user_id, id)
  if (!target) return nobody
  const sender = await needs.channels.sender()
  const sending = { sender, keys: await findVapidKeys(needs), subject: vapidSubject(needs.config) }
  const acknowledge_token = await tokenOf(needs, receiver, message)
  const outcome = await sendPush(sending, { ...target, acknowledge_token }, message)
  await noteOutcome(needs, id, outcome).catch(error =>
    needs.log.error({ err: error, push_subscription_id: id }, 'what became of a message is not noted'),
  )
  return outcome
}

/** A notification of one alarm can acknowledge it, if its reader may. */
async function tokenOf(
  needs: Needs,
  { user_id, role }: PushReceiver,
  message: Message,
): Promise<string | undefined> {
  if (!scopesOf(role).includes('full_read_write')) return undefined
  const [alarm] = message.alarms
  if (!alarm || message.alarms.length > 1 || message.reason === 'ended') return undefined
  const bound = { organization_id: message.organization.id, alarm_id: alarm.id, user_id }
  return makeAcknowledgeToken(needs, bound)
}
