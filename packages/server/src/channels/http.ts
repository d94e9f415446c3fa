import type { Sender } from '../delivery/webhooks/send.ts'
import { signedHeaders, signingKey } from '../delivery/webhooks/sign.ts'
import type { Clock } from '../flow/clock.ts'
import { countOf, type Message, severityOf } from './message.ts'
import type { Outcome } from './outcome.ts'
import { post } from './post.ts'
import { putIntoWords } from './words.ts'

export interface HttpTarget {
  readonly url: string
  readonly secret: string
}

interface Needs {
  readonly sender: Sender
  readonly clock: Clock
}

const mostAlarms = 500

/** Posts a message as JSON, signed as webhooks are. `webhook-id` is the same in every attempt. */
export function sendHttp(
  { sender, clock }: Needs,
  { url, secret }: HttpTarget,
  message: Message,
): Promise<Outcome> {
  const body = Buffer.from(JSON.stringify(describe(message)))
  const seconds = Math.floor(Date.parse(clock.now()) / 1000)
  const signed = signedHeaders(signingKey(secret), message.id, seconds, body)
  const headers = Object.fromEntries(Array.from({ length: signed.length / 2 }, (_, at) => pairAt(signed, at)))
  return post(sender, { owner_id: message.organization.id, url, headers, body })
}

function pairAt(flat: readonly string[], at: number): readonly [string, string] {
  return [flat[2 * at] ?? '', flat[2 * at + 1] ?? '']
}

function describe(message: Message): object {
  const { id, reason, organization, url, alarms } = message
  const { title, lines } = putIntoWords(message, 20)
  const told = alarms.slice(0, mostAlarms).map(({ utc_offset: _, ...alarm }) => alarm)
  return {
    id,
    reason,
    severity: severityOf(message),
    organization,
    title,
    text: lines.join('\n'),
    url,
    alarm_count: countOf(message),
    alarms: told,
  }
}
