import type { ItemOf } from '../data/collections.ts'
import { t } from '../language/t.ts'
import { failureWords } from '../notification-targets/failure-words.ts'

export type Notification = ItemOf<'notifications'> & {
  readonly notification_target?: { readonly name: string } | null
  readonly user?: { readonly name: string | null; readonly email: string } | null
}

/** What the message was for, before the name of who got it. */
export const reasonWords: Record<Notification['reason'], string> = {
  opened: t('Told'),
  repeated: t('Told again'),
  escalated: t('Escalated to'),
  ended: t('Told of the end:'),
  digest: t('Summary to'),
  test: t('Test to'),
}

const channelWords: Record<Notification['channel'], string> = {
  email: t('by email'),
  ntfy: t('by ntfy'),
  http: t('by http'),
  push: t('by push'),
}

export function recipientName({ notification_target, user }: Notification): string {
  return notification_target?.name ?? user?.name ?? user?.email ?? t('somebody who has left')
}

/** Returns `by email, accepted` or `by ntfy, not accepted: it did not respond in time. Next attempt …`. */
export function outcomeWords({ channel, status, attempts }: Notification): string {
  const last = attempts.at(-1)
  const way = channelWords[channel]
  const tried = attempts.length > 1 ? t(` after ${attempts.length} attempts`) : ''
  if (status === 'succeeded') return t(`${way}, accepted${tried}`)
  if (status === 'canceled') return t(`${way}, not sent: nothing was left to tell`)
  if (!last) return t(`${way}, waits to be sent`)
  const why = failureWords(last)
  return status === 'failed' ? t(`${way}, failed${tried}: ${why}`) : t(`${way}, will be tried again: ${why}`)
}

export function toneOf({ status, attempts }: Notification): 'good' | 'bad' | 'plain' {
  if (status === 'succeeded') return 'good'
  return status === 'failed' || (status === 'pending' && attempts.length > 0) ? 'bad' : 'plain'
}
