import { day } from '../engine/microseconds.ts'
import type { ListSteps } from '../engine/steps.ts'
import type { DoorSources } from './door-sources.ts'
import { type ModeSpan, spanInWindow } from './mode-span.ts'
import type { ModeState } from './mode-state.ts'
import { openWindow } from './mode-window.ts'

/** A stretch of time in which a door has one mode, for one cause. In microseconds. */
export interface ModeStretch {
  from: number
  until: number
  mode: ModeState
}

/**
 * Returns the modes of a door between two instants, each when it is complete, as far as is known now: periods
 * to come for which nobody has come yet are not unlocked. Whoever has seen enough stops.
 */
export function* modeTimeline(sources: DoorSources, from: number, until: number): ListSteps<ModeStretch> {
  let held: ModeStretch | undefined
  for (const span of spansBetween(sources, from, until)) {
    if (span === undefined) yield
    else if (held !== undefined && isSame(held.mode, span.mode)) held.until = span.until
    else {
      if (held !== undefined) yield held
      held = { from: span.from, until: span.until, mode: span.mode }
    }
  }
  if (held !== undefined) yield held
}

/**
 * How much time is looked at together, at first and at most: most searches end soon. What many rules say in a
 * long time would be too much to look through for each span.
 */
const shortWindow = 2 * day
const longWindow = 32 * day
const manyRules = 8

/** Returns spans that follow each other without a gap, the first and the last cut off. */
export function* spansBetween(sources: DoorSources, from: number, until: number): ListSteps<ModeSpan> {
  const longest = sources.rules.length > manyRules ? shortWindow : longWindow
  let length = shortWindow
  for (let at = from; at < until; length = Math.min(length * 4, longest)) {
    const window = yield* openWindow(sources, at, at + length)
    for (const end = Math.min(at + length, until); at < end; ) {
      const span = spanInWindow(window, at)
      const next = Math.min(span.until, until)
      yield { ...span, from: at, until: next }
      yield
      at = next
    }
  }
}

function isSame(a: ModeState, b: ModeState): boolean {
  return (
    a.effective === b.effective &&
    a.source === b.source &&
    a.since === b.since &&
    a.until === b.until &&
    a.unlock_rule_id === b.unlock_rule_id &&
    a.emergency_ids.join() === b.emergency_ids.join()
  )
}
