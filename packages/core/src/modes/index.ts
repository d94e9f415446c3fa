/**
 * Modes of doors: every door has one effective mode at every instant, computed from what is stored by one rule
 * of precedence, in the same way in the service, at a controller and in a browser.
 *
 * Invariants.
 * - Exits are never denied by a mode, and what holds a door open lets every known member pass.
 * - Without a sure clock, nothing opens by time, and a lockdown or an evacuation goes on.
 * - `modeSpanAt` is constant within its span, so an answer can be kept for that long.
 */

export {
  compileEmergency,
  concerns,
  type DoorEmergency,
  type DoorPlace,
  type DoorSources,
  type Emergency,
  type Override,
} from './door-sources.ts'
export { type DoorMode, describeMode, effectiveMode, nextModeChange } from './effective-mode.ts'
export { isArrival, isDeparture, isThere, rememberFrom } from './first-person.ts'
export { mayOpenDoor } from './locked-actions.ts'
export * from './mode-rows.ts'
export { type ModeSpan, modeSpanAt } from './mode-span.ts'
export type { ModeState } from './mode-state.ts'
export { type ModeStretch, modeTimeline } from './mode-timeline.ts'
export { type Period, periodsBetween } from './periods.ts'
export {
  doorModes,
  isHeldOpen,
  type Mode,
  type ModeSource,
  modeSources,
  type PrecedenceLevel,
  precedence,
} from './precedence.ts'
export { type LooseDoor, sourcesOfLooseDoor } from './sources-of-rows.ts'
export type { Need } from './stage-e.ts'
export { nextTurn } from './turn-of-rules.ts'
