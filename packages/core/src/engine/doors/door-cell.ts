import type { DoorSources } from '../../modes/door-sources.ts'
import type { Door } from '../../modes/mode-rows.ts'
import type { ModeSpan } from '../../modes/mode-span.ts'

/** What the engine holds of a door, and its mode as last computed. */
export interface DoorCell {
  row: Door
  exits: readonly string[]
  tag_ids: readonly string[]
  /** The edition of the policy that the sources are from; -1 if there are none yet. */
  edition: number
  sources: DoorSources | null
  span: ModeSpan | null
}

/**
 * How much a decision has to look at a gadget's mode: never; during an emergency or a fire; always. The policy
 * asks those above its own limit, so that a decision about all others costs one comparison.
 */
export const modeFlags = { never: 0, in_emergencies: 1, always: 2 } as const

/**
 * Added to the flag of a door whose mode is known as long as the policy is calm: permissions alone decide there, or
 * they decide first and the door after them.
 */
export const modeMarks = { plain: 4, guarded: 8 } as const
export const anyMark: number = modeMarks.plain | modeMarks.guarded

export function createDoor(row: Door, tag_ids: readonly string[]): DoorCell {
  return { row, exits: row.exit_action_ids ?? [], tag_ids, edition: -1, sources: null, span: null }
}
