import type { AlarmSeverity } from '@gatehouse-access/core'

/**
 * Seconds that a notification waits for others of the same rule and site. Critical ones may wait for 2; half of it
 * leaves time to hand the message over within 2 seconds.
 */
const waits: Readonly<Record<AlarmSeverity, number>> = { critical: 1, warning: 10, info: 10 }

export function waitOf(severity: AlarmSeverity): number {
  return waits[severity]
}

/** What a controller reports afterwards arrives in parts. Nobody is in a hurry for what is long over. */
export const waitOfLate = 30
