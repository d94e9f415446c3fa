import { addSeconds } from '@gatehouse-access/core'
import { parseRetryAfter } from '../../delivery/webhooks/retry-schedule.ts'
import type { Channel } from './find-recipients.ts'

/** Seconds between attempts: six more over 30 minutes, and three more over a minute for what is pushed to screens. */
const patient = [30, 60, 120, 300, 540, 750]
const pauses: Readonly<Record<Channel, readonly number[]>> = {
  email: patient,
  ntfy: patient,
  http: patient,
  push: [5, 15, 40],
}

/**
 * Returns when the next attempt is due after `count` failed ones, or null if that was the last. A receiver that asks for
 * more time by its Retry-After gets it, up to the longest pause: what is told of an alarm must not come hours later.
 */
export function nextAttemptAt(
  channel: Channel,
  count: number,
  now: string,
  retryAfter?: string | undefined,
): string | null {
  const pause = pauses[channel][count - 1]
  if (pause === undefined) return null
  const asked = Math.min(parseRetryAfter(retryAfter, now) ?? 0, Math.max(...pauses[channel]))
  return addSeconds(now, Math.ceil(Math.max(pause, asked)))
}
