import { fromMicroseconds } from '../engine/microseconds.ts'
import type { DoorSources } from './door-sources.ts'
import { modeSpanAt } from './mode-span.ts'
import type { ModeState } from './mode-state.ts'
import type { Mode, ModeSource } from './precedence.ts'

/** The mode of a door, with the names of the wire. */
export interface DoorMode {
  effective: Mode
  source: ModeSource
  /** When the source began to hold; null for `default` and for what has always held. */
  since: string | null
  /** When the source ends by itself; null if it does not. */
  until: string | null
  /** The rule that unlocks the door, or keeps it closed until the first person has come. */
  unlock_rule_id: string | null
  emergency_ids: readonly string[]
}

/** Returns the mode of a door at an instant; NaN if the clock is not sure. */
export function effectiveMode(sources: DoorSources, at: number): DoorMode {
  return describeMode(modeSpanAt(sources, at).mode)
}

/**
 * Returns the next instant at which the mode may be another one; Infinity if it stays. At the latest after a
 * day, if the door has unlock rules: whoever waits for it asks again then.
 */
export function nextModeChange(sources: DoorSources, at: number): number {
  return modeSpanAt(sources, at).until
}

export function describeMode({ since, until, ...mode }: ModeState): DoorMode {
  return { ...mode, since: timestampOf(since), until: timestampOf(until) }
}

function timestampOf(at: number): string | null {
  return Number.isFinite(at) ? fromMicroseconds(at) : null
}
