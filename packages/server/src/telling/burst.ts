import { addSeconds, alarmSeverities } from '@gatehouse-access/core'
import type { Group } from './pace.ts'

/** Seconds that earlier messages of a group count, and that the next one waits after so many of them. */
export const burstSpan = 600
const pauses = [0, 20, 40, 80, 160]
const longest = 300

/**
 * Returns until when a group waits that has had messages of late: what goes wrong one after the other, as when
 * thousands of devices are lost, is told in a few messages and not in one every 10 seconds. The pause counts from the
 * last message, so what comes alone does not wait. Critical alarms never do.
 */
export function burstUntil({ rank }: Pick<Group, 'rank'>, before: readonly string[]): string {
  const last = before.toSorted().at(-1)
  if (last === undefined || rank === alarmSeverities.length) return ''
  return addSeconds(last, pauses[before.length] ?? longest)
}
