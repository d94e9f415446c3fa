import { second } from '../engine/microseconds.ts'
import type { Site } from '../engine/places.ts'
import type { AccessMethod } from '../engine/policy-rows.ts'
import { periodsBetween } from './periods.ts'
import { awaitedFrom, livesOf, ruleSpans, type UnlockRule } from './rule-spans.ts'

/** Whether somebody who uses a door by this method stands before it. */
export function isThere(method: AccessMethod): boolean {
  return method !== 'online'
}

/**
 * Whether somebody who comes now makes a period live, so that it has to be remembered. Who comes to a period
 * that is live or over changes nothing.
 */
export function isArrival(rule: UnlockRule, site: Site, at: number): boolean {
  if (rule.first_person === null) return false
  const early = rule.first_person.early_seconds * second
  return periodsBetween(rule.schedule, site, at, at + early + 1).some(period => {
    if (at < awaitedFrom(rule, period) || at >= period.until) return false
    const last = livesOf(rule, period).findLast(life => life.from <= at)
    return last === undefined || (last.until <= at && last.until < period.from)
  })
}

/** Whether the last person who leaves now ends something: an unlocked period, or one about to begin. */
export function isDeparture(rule: UnlockRule, site: Site, at: number): boolean {
  const early = (rule.first_person?.early_seconds ?? 0) * second
  if (ruleSpans(rule, site, at, at + 1).some(({ state }) => state === 'unlocked')) return true
  return periodsBetween(rule.schedule, site, at, at + early + 1).some(period =>
    livesOf(rule, period).some(({ from, until }) => from < at && at < until),
  )
}

/** Returns from when on arrivals and departures still matter; those before can be forgotten. */
export function rememberFrom(rule: UnlockRule, site: Site, at: number): number {
  const early = (rule.first_person?.early_seconds ?? 0) * second
  const periods = periodsBetween(rule.schedule, site, at, at + early + 1)
  return Math.min(at, ...periods.map(period => awaitedFrom(rule, period)))
}
