import { addSeconds } from '@gatehouse-access/core'
import type { Channel } from './find-recipients.ts'

/** Seconds between attempts: six more over 30 minutes, and three more over a minute for what is pushed to screens. */
const patient = [30, 60, 120, 300, 540, 750]
const pauses: Readonly<Record<Channel, readonly number[]>> = {
  email: patient,
  ntfy: patient,
  http: patient,
  push: [5, 15, 40],
}

/** Returns when the next attempt is due after `count` failed ones, or null if that was the last. */
export function nextAttemptAt(channel: Channel, count: number, now: string): string | null {
  const pause = pauses[channel][count - 1]
  return pause === undefined ? null : addSeconds(now, pause)
}
