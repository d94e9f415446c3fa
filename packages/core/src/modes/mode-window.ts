import { day } from '../engine/microseconds.ts'
import type { DoorSources } from './door-sources.ts'
import { type RuleSpan, ruleSpans, type UnlockRule } from './rule-spans.ts'

/** A door and what its rules say in a stretch of time, so that many of its instants can be looked at. */
export interface ModeWindow {
  sources: DoorSources
  from: number
  until: number
  rules: readonly { rule: UnlockRule; spans: readonly RuleSpan[] }[]
}

export function openWindow(sources: DoorSources, from: number, until: number): ModeWindow {
  const { rules, site } = sources
  return { sources, from, until, rules: rules.map(rule => ({ rule, spans: spansOf(rule) })) }

  function spansOf(rule: UnlockRule): readonly RuleSpan[] {
    return Number.isNaN(from) ? [] : ruleSpans(rule, site, from, until)
  }
}

/** Opens a window from a day before an instant to a day after it. */
export function windowAround(sources: DoorSources, at: number): ModeWindow {
  return openWindow(sources, at - day, at + day)
}
