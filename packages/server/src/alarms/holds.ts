import { usualThresholds } from '@gatehouse-access/core'
import type { Condition } from './condition.ts'
import type { Place, Status } from './places.ts'
import type { Rule } from './rules.ts'

/** Percent under which a low battery is critical. */
const almostEmpty = 10

/**
 * Returns a condition as it is now, or undefined if it holds no longer. What ended it may be on its way still, and
 * rules may say something else by now.
 */
export function asOfNow(
  condition: Condition,
  place: Place | undefined,
  rules: readonly Rule[],
): Condition | undefined {
  if (place?.is_deleted) return undefined
  const status = place?.status
  if (!status) return condition
  if (condition.type === 'device_offline') return status.online ? undefined : condition
  if (condition.type === 'device_power_lost') return status.mains_present ? undefined : condition
  if (condition.type === 'device_battery_low')
    return isLow(status, lowPercent(rules)) ? { ...condition, ...severityOfBattery(status) } : undefined
  return condition
}

/** The highest that rules ask for: who wants to know early does. */
export function lowPercent(rules: readonly Rule[]): number {
  const { percent } = usualThresholds
  return rules.length === 0
    ? percent
    : Math.max(...rules.map(({ thresholds }) => thresholds.percent ?? percent))
}

export function isLow({ battery_present, battery_percent }: Status, percent: number): boolean {
  return battery_present && battery_percent < percent
}

export function isAlmostEmpty(status: Status): boolean {
  return isLow(status, almostEmpty)
}

export function severityOfBattery(status: Status): Pick<Condition, 'severity'> {
  return isAlmostEmpty(status) ? { severity: 'critical' } : {}
}
