import { type PeriodName, type Periods, type PrivacyPending, periodNames } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'

/** What an organization has set, and what holds until a shortening takes effect. */
export interface PrivacyState {
  readonly privacy: Periods
  readonly privacy_pending: PrivacyPending | null
}

/** A shorter period destroys data, so there is a day to notice a mistake and to undo it. */
const notice = 24 * 3600

/** Returns the periods alone: the privacy settings of an organization have more. */
export function periodsInForce({ privacy, privacy_pending }: PrivacyState, now: string): Periods {
  const held = privacy_pending && now < privacy_pending.takes_effect_at ? privacy_pending.in_force : privacy
  return Object.fromEntries(periodNames.map(name => [name, held[name] ?? null]))
}

/**
 * Returns what is pending after the periods were changed; null if nothing became shorter than what is in force. What
 * became longer holds at once. Waiting begins anew only if something is shorter than what was pending before.
 */
export function planPeriods(before: PrivacyState, after: Periods, now: string): PrivacyPending | null {
  const held = periodsInForce(before, now)
  if (!isShorter(after, held)) return null
  const waits = before.privacy_pending
  const goesOn = waits !== null && now < waits.takes_effect_at && !isShorter(after, before.privacy)
  return {
    takes_effect_at: goesOn ? waits.takes_effect_at : addSeconds(now, notice),
    in_force: longest(held, after),
  }
}

function isShorter(after: Periods, before: Periods): boolean {
  return periodNames.some(name => daysOf(after, name) < daysOf(before, name))
}

function longest(one: Periods, other: Periods): Periods {
  const pairs = periodNames.map(name => {
    const days = Math.max(daysOf(one, name), daysOf(other, name))
    return [name, Number.isFinite(days) ? days : null] as const
  })
  return Object.fromEntries(pairs)
}

/** Null counts as endless. */
function daysOf(periods: Periods, name: PeriodName): number {
  return periods[name] ?? Number.POSITIVE_INFINITY
}
