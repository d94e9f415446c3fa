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
  const turns: Float64Array[] = [Number.isNaN(from) ? noTurns : Float64Array.of(from, until)]
  for (const rule of sources.rules) {
    const spans = Number.isNaN(from) ? [] : ruleSpans(rule, sources.site, from, until)
    rules.push({ rule, spans })
    turns.push(turnsOf(spans))
    yield
  }
  return { sources, from, until, rules, turns: yield* uniteTurns(turns) }
}

const noTurns = new Float64Array()

function turnsOf(spans: readonly RuleSpan[]): Float64Array {
  const turns = new Float64Array(spans.length * 2)
  for (const [place, span] of spans.entries()) {
    turns[place * 2] = span.from
    turns[place * 2 + 1] = span.until
  }
  return turns.sort()
}

/** Pairwise and in steps, because the rules of a door may turn a hundred thousand times. */
function* uniteTurns(lists: readonly Float64Array[]): Steps<Float64Array> {
  let left = lists
  while (left.length > 1) {
    const united: Float64Array[] = []
    for (let index = 0; index < left.length; index += 2) {
      united.push(uniteTwo(left[index] ?? noTurns, left[index + 1] ?? noTurns))
      yield
    }
    left = united
  }
  return left[0] ?? noTurns
}

/** Joins two lists that are in order. Those of many rules are mostly the same: each turn is kept once. */
function uniteTwo(a: Float64Array, b: Float64Array): Float64Array {
  const turns = new Float64Array(a.length + b.length)
  let count = 0
  for (let left = 0, right = 0; left < a.length || right < b.length; ) {
    const [next, other] = [a[left] ?? Infinity, b[right] ?? Infinity]
    if (next <= other) left++
    if (other <= next) right++
    const turn = Math.min(next, other)
    if (count === 0 || turn !== turns[count - 1]) turns[count++] = turn
  }
  return turns.subarray(0, count)
}

/** Opens a window from a day before an instant to a day after it. */
export function windowAround(sources: DoorSources, at: number): Steps<ModeWindow> {
  return openWindow(sources, at - day, at + day)
}
