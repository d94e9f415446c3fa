import type { AlarmSeverity } from '@gatehouse-access/core'
import type { Sender } from '../delivery/webhooks/send.ts'
import { isSilent, type Message, severityOf } from './message.ts'
import type { Outcome } from './outcome.ts'
import { post } from './post.ts'
import { putIntoWords } from './words.ts'

export interface NtfyTarget {
  /** The server, not the topic. */
  readonly url: string
  readonly topic: string
  readonly token?: string | undefined
}

/** From 1 to 5. Up to 2, phones make no sound. */
const priorities: Readonly<Record<AlarmSeverity, number>> = { critical: 5, warning: 4, info: 3 }
const silent = 2
/** Shown as pictures before the title. */
const tags: Readonly<Record<AlarmSeverity, string>> = {
  critical: 'rotating_light',
  warning: 'warning',
  info: 'information_source',
}
const mostLines = 20

/** Publishes a message to a topic of an ntfy server. */
export function sendNtfy(sender: Sender, target: NtfyTarget, message: Message): Promise<Outcome> {
  const { title, lines } = putIntoWords(message, mostLines)
  const severity = severityOf(message)
  const body = {
    topic: target.topic,
    title: `${message.organization.name}: ${title}`,
    message: lines.join('\n'),
    priority: isSilent(message) ? silent : priorities[severity],
    tags: [message.reason === 'ended' ? 'white_check_mark' : tags[severity]],
    click: message.url,
  }
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Gatehouse-Notifications/2.0',
    ...(target.token !== undefined && { authorization: `Bearer ${target.token}` }),
  }
  return post(sender, {
    owner_id: message.organization.id,
    url: target.url,
    headers,
    body: Buffer.from(JSON.stringify(body)),
  })
}
