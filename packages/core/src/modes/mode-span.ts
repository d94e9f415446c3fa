import { day } from '../engine/microseconds.ts'
import type { DoorSources } from './door-sources.ts'
import { lookAt, type ModeState, modeOf } from './mode-state.ts'
import { ruleSpans } from './rule-spans.ts'
import { type Need, needsOf } from './stage-e.ts'

/** A mode with the time in which it is surely the same: from inclusive, until exclusive. */
export interface ModeSpan {
  mode: ModeState
  needs: readonly Need[]
  from: number
  until: number
}

/** How far around an instant the turns of unlock rules are looked up. */
const reach = day

/** Returns the mode at an instant, and until when nothing happens that can change it. */
export function modeSpanAt(sources: DoorSources, at: number): ModeSpan {
  const now = lookAt(sources, at)
  const mode = modeOf(now)
  const turns = Number.isNaN(at) ? [] : turnsAround(sources, at)
  return {
    mode,
    needs: needsOf(now, mode),
    from: Math.max(-Infinity, ...turns.filter(turn => turn <= at)),
    until: Math.min(Infinity, ...turns.filter(turn => turn > at)),
  }
}

function turnsAround({ evacuations, lockdowns, override, rules, site }: DoorSources, at: number): number[] {
  const [from, until] = [at - reach, at + reach]
  const spans = rules.flatMap(rule => ruleSpans(rule, site, from, until))
  const known = rules.length === 0 ? [] : [from, until]
  const ends = [...evacuations, ...lockdowns, ...(override === null ? [] : [override])]
  return [...known, ...ends.map(end => end.until), ...spans.flatMap(span => [span.from, span.until])]
}
