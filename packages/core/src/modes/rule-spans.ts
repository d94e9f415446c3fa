import { second } from '../engine/microseconds.ts'
import type { OpenTime } from '../engine/open-times.ts'
import type { Site } from '../engine/places.ts'
import type { Schedule } from '../engine/schedules.ts'
import type { FirstPerson } from './mode-rows.ts'
import { type Period, periodsBetween } from './periods.ts'

/** An unlock rule as the engine holds it. Instants are microseconds, in order. */
export interface UnlockRule {
  id: string
  schedule: Schedule
  first_person: FirstPerson | null
  arrivals: readonly number[]
  departures: readonly number[]
}

/** When a rule unlocks its doors, and when it keeps them closed until the first person has come. */
export interface RuleSpan extends OpenTime {
  state: 'unlocked' | 'waiting'
}

/** Returns what a rule says at some time in [`from`, `until`), from the begin to the end of each span. */
export function ruleSpans(rule: UnlockRule, site: Site, from: number, until: number): RuleSpan[] {
  const periods = periodsBetween(rule.schedule, site, from, until + earlyOf(rule))
  return periods
    .flatMap(period => spansOfPeriod(rule, period))
    .filter(span => span.from < span.until && span.from < until && span.until > from)
}

/** From when on somebody can make a period live. */
export function awaitedFrom(rule: UnlockRule, period: Period): number {
  return period.from - earlyOf(rule)
}

function earlyOf({ first_person }: UnlockRule): number {
  return (first_person?.early_seconds ?? 0) * second
}

function spansOfPeriod(rule: UnlockRule, period: Period): RuleSpan[] {
  const lives = rule.first_person === null ? [wholeLife(rule, period)] : livesOf(rule, period)
  const unlocked = lives.flatMap(life => period.open.map(time => overlap(time, life)))
  return [...unlocked.map(span => ({ ...span, state: 'unlocked' as const })), ...waits(rule, period, lives)]
}

/** Without a first person, a period lives from its start until the last person leaves. */
function wholeLife({ departures }: UnlockRule, { from, until }: Period): OpenTime {
  return { from, until: departures.find(at => at >= from && at < until) ?? until }
}

/**
 * Returns when a period is live. It becomes so when somebody comes and stays so to its end. When the last
 * person leaves, it is over; if it has not begun by then, it waits for somebody again.
 */
export function livesOf(rule: UnlockRule, period: Period): OpenTime[] {
  const lives: OpenTime[] = []
  for (let after = awaitedFrom(rule, period); ; ) {
    const from = rule.arrivals.find(at => at >= after && at < period.until)
    if (from === undefined) return lives
    const left = rule.departures.find(at => at > from && at < period.until)
    lives.push({ from, until: left ?? period.until })
    if (left === undefined || left >= period.from) return lives
    after = left
  }
}

/** A rule that closes its doors does so until the period is live, each time that it waits. */
function waits(rule: UnlockRule, period: Period, lives: readonly OpenTime[]): RuleSpan[] {
  if (rule.first_person?.before !== 'closed') return []
  const starts = [awaitedFrom(rule, period), ...lives.map(life => life.until)]
  return starts
    .filter((start, index) => index === 0 || start < period.from)
    .map((from, index) => ({ from, until: lives[index]?.from ?? period.until, state: 'waiting' }))
}

function overlap(a: OpenTime, b: OpenTime): OpenTime {
  return { from: Math.max(a.from, b.from), until: Math.min(a.until, b.until) }
}
