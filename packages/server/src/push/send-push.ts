import { hash } from 'node:crypto'
import type { AlarmSeverity } from '@gatehouse-access/core'
import { isSilent, type Message, severityOf } from '../channels/message.ts'
import type { Outcome } from '../channels/outcome.ts'
import { post } from '../channels/post.ts'
import { putIntoWords } from '../channels/words.ts'
import type { Sender } from '../delivery/webhooks/send.ts'
import { alarmVoiceOf } from '../texts/alarms/language.ts'
import { loadWebPush } from './load-web-push.ts'
import type { VapidKeys } from './vapid-keys.ts'
import type { Subject } from './vapid-subject.ts'

/** A browser, as it told the service. */
export interface PushTarget {
  readonly user_id: string
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
  /** Lets the reader acknowledge the alarm from the notification. */
  readonly acknowledge_token?: string | undefined
}

interface Needs {
  readonly sender: Sender
  readonly keys: VapidKeys
  readonly subject: Subject
}

/** Seconds that a push service keeps a message for a browser that is away. */
const lifetimes: Readonly<Record<AlarmSeverity, number>> = { critical: 86_400, warning: 14_400, info: 3600 }
const urgencies = { critical: 'high', warning: 'normal', info: 'low' } as const

/** Encrypts a message for one browser (RFC 8291) and hands it to its push service. */
export async function sendPush(
  { sender, keys, subject }: Needs,
  target: PushTarget,
  message: Message,
): Promise<Outcome> {
  if ('off_reason' in subject) return { ...nothing, error: 'push_off' }
  const { generateRequestDetails } = await loadWebPush()
  const severity = severityOf(message)
  const request = generateRequestDetails(target, JSON.stringify(payloadOf(target, message)), {
    vapidDetails: { subject: subject.subject, publicKey: keys.public_key, privateKey: keys.private_key },
    TTL: lifetimes[severity],
    urgency: isSilent(message) ? 'low' : urgencies[severity],
    topic: topicOf(message),
    contentEncoding: 'aes128gcm',
  })
  const headers = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), String(value)])
  return post(sender, {
    owner_id: target.user_id,
    url: request.endpoint,
    headers: Object.fromEntries(headers),
    body: request.body,
  })
}

const nothing = { is_delivered: false, may_retry: false, status_code: null, answer: null, latency: 0 }

/** What the service worker shows. Encrypted payloads have at most 4 kB. */
function payloadOf({ acknowledge_token }: PushTarget, message: Message): object {
  const { title, lines } = putIntoWords(message, 5)
  const acknowledge =
    acknowledge_token !== undefined && !isSilent(message)
      ? { label: alarmVoiceOf(message.language).say('acknowledge'), token: acknowledge_token }
      : null
  return {
    title: title.slice(0, 250),
    body: [message.organization.name, ...lines].join('\n').slice(0, 1000),
    tag: tagOf(message),
    url: message.url,
    is_silent: isSilent(message),
    severity: severityOf(message),
    acknowledge,
  }
}

/** A notification replaces the one before of the same alarm. */
function tagOf({ alarms, id }: Message): string {
  return alarms.length === 1 && alarms[0] ? alarms[0].id : id
}

/** The end of an alarm replaces its beginning at the push service, if the browser was away. At most 32 characters. */
function topicOf(message: Message): string {
  return hash('sha256', tagOf(message), 'base64url').slice(0, 32)
}
