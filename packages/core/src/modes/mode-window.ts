import { day } from '../engine/microseconds.ts'
import type { Steps } from '../engine/steps.ts'
import type { DoorSources } from './door-sources.ts'
import { type RuleSpan, ruleSpans, type UnlockRule } from './rule-spans.ts'

/** A door and what its rules say in a stretch of time, so that many of its instants can be looked at. */
export interface ModeWindow {
  sources: DoorSources
  from: number
  until: number
  rules: readonly { rule: UnlockRule; spans: readonly RuleSpan[] }[]
  /** The instants at which a rule may say something else, and the ends of the window, in order. */
  turns: Float64Array
}

export function* openWindow(sources: DoorSources, from: number, until: number): Steps<ModeWindow> {
  const rules: ModeWindow['rules'][number][] = []
  for (const rule of sources.rules) {
    const spans = Number.isNaN(from) ? [] : ruleSpans(rule, sources.site, from, until)
    rules.push({ rule, spans })
    yield
  }
  return { sources, from, until, rules, turns: turnsOf(rules, from, until) }
}

function turnsOf(rules: ModeWindow['rules'], from: number, until: number): Float64Array {
  if (Number.isNaN(from)) return new Float64Array()
  const count = rules.reduce((sum, { spans }) => sum + spans.length * 2, 0)
  const turns = new Float64Array(count + 2)
  turns.set([from, until])
  let place = 2
  for (const { spans } of rules)
    for (const span of spans) {
      turns[place++] = span.from
      turns[place++] = span.until
    }
  return turns.sort()
}

/** Opens a window from a day before an instant to a day after it. */
export function windowAround(sources: DoorSources, at: number): Steps<ModeWindow> {
  return openWindow(sources, at - day, at + day)
}
