import type { ItemOf } from '../data/collections.ts'
import { failureWords } from '../notification-targets/failure-words.ts'

export type Notification = ItemOf<'notifications'> & {
  readonly notification_target?: { readonly name: string } | null
  readonly user?: { readonly name: string | null; readonly email: string } | null
}

/** What the message was for, before the name of who got it. */
export const reasonWords: Record<Notification['reason'], string> = {
  opened: 'Told',
  repeated: 'Told again',
  escalated: 'Escalated to',
  ended: 'Told of the end:',
  digest: 'Summary to',
  test: 'Test to',
}

const channelWords: Record<Notification['channel'], string> = {
  email: 'by email',
  ntfy: 'by ntfy',
  http: 'by http',
  push: 'by push',
}

export function recipientName({ notification_target, user }: Notification): string {
  return notification_target?.name ?? user?.name ?? user?.email ?? 'somebody who has left'
}

/** Returns `by email, accepted` or `by ntfy, not accepted: it did not respond in time. Next attempt …`. */
export function outcomeWords({ channel, status, attempts }: Notification): string {
  const last = attempts.at(-1)
  const way = channelWords[channel]
  const tried = attempts.length > 1 ? ` after ${attempts.length} attempts` : ''
  if (status === 'succeeded') return `${way}, accepted${tried}`
  if (status === 'canceled') return `${way}, not sent: nothing was left to tell`
  if (!last) return `${way}, waits to be sent`
  const why = failureWords(last)
  return status === 'failed' ? `${way}, failed${tried}: ${why}` : `${way}, will be tried again: ${why}`
}

export function toneOf({ status, attempts }: Notification): 'good' | 'bad' | 'plain' {
  if (status === 'succeeded') return 'good'
  return status === 'failed' || (status === 'pending' && attempts.length > 0) ? 'bad' : 'plain'
}
