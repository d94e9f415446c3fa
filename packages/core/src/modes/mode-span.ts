import { finish, type Steps } from '../engine/steps.ts'
import type { DoorSources } from './door-sources.ts'
import { lookAt, type ModeState, modeOf, type Now, speaks } from './mode-state.ts'
import { type ModeWindow, windowAround } from './mode-window.ts'
import { type Need, needsOf } from './stage-e.ts'

/** A mode with the time in which it is surely the same: from inclusive, until exclusive. */
export interface ModeSpan {
  mode: ModeState
  needs: readonly Need[]
  from: number
  until: number
}

/** Returns the mode at an instant, and until when nothing happens that can change it. */
export function modeSpanAt(sources: DoorSources, at: number): ModeSpan {
  return finish(modeSpanSteps(sources, at))
}

/** Like `modeSpanAt`, rule by rule: a door may have hundreds. */
export function* modeSpanSteps(sources: DoorSources, at: number): Steps<ModeSpan> {
  return spanInWindow(yield* windowAround(sources, at), at)
}

/** Like `modeSpanAt`, for an instant of the window, beyond which rules are not looked up. */
export function spanInWindow(window: ModeWindow, at: number): ModeSpan {
  const now = lookAt(window, at)
  const mode = modeOf(now)
  const turns = [...endsOf(window.sources), ...(dependsOnRules(now, mode) ? turnsAround(window, at) : [])]
  return {
    mode,
    needs: needsOf(now, mode),
    from: turns.reduce((last, turn) => (turn <= at && turn > last ? turn : last), -Infinity),
    until: turns.reduce((next, turn) => (turn > at && turn < next ? turn : next), Infinity),
  }
}

/** Nobody has to follow the rules of a door whose mode is set by something stronger. */
function dependsOnRules(now: Now, { effective, source }: ModeState): boolean {
  if (now.sources.rules.length === 0) return false
  if (source === 'default' || source === 'unlock_rule') return true
  return effective === 'lockdown' && !speaks('override', now) && now.sources.rules.some(isClosing)
}

function isClosing({ first_person }: DoorSources['rules'][number]): boolean {
  return first_person?.before === 'closed'
}

function endsOf({ evacuations, lockdowns, override }: DoorSources): number[] {
  return [...evacuations, ...lockdowns, ...(override === null ? [] : [override])].map(({ until }) => until)
}

/** Returns the turns of rules next to an instant, before and after. */
function turnsAround({ turns }: ModeWindow, at: number): Float64Array {
  let low = 0
  let high = turns.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((turns[middle] as number) <= at) low = middle + 1
    else high = middle
  }
  return turns.subarray(Math.max(0, low - 1), low + 1)
}
