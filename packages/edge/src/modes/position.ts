import type { SliceRow } from '@gatehouse-access/api'
import { impliedState, isHeldOpen, type Mode, type ModeSource } from '@gatehouse-access/core'
import type { DrivenDoor, Position } from './door-memory.ts'

type Gadget = SliceRow<'gadgets'>

/** A gadget that is a door. */
export type DoorGadget = Gadget & { readonly door: NonNullable<Gadget['door']> }

export function isDoor(gadget: Gadget | undefined): gadget is DoorGadget {
  return gadget?.door != null && gadget.is_deleted !== true
}

/**
 * Returns what the lock has to be. Null: whatever it is. A door that no mode concerns is left alone, as its
 * triggers or members may hold it open. But what a mode did to it is undone.
 */
export function wantedPosition(mode: Mode, source: ModeSource, before: DrivenDoor): Position | null {
  if (isHeldOpen(mode)) return 'held'
  return source !== 'default' || isConcerned(before) ? 'secured' : null
}

/** Whether a mode has a door in its hands, or has not yet let go of it. */
export function isConcerned({ source, outcome }: DrivenDoor): boolean {
  return source !== 'default' || outcome !== 'done'
}

/**
 * Returns the action that brings the lock there; null if there is nothing to do. A door that cannot be held
 * open is released again and again in an evacuation.
 */
export function actionFor({ door }: DoorGadget, mode: Mode, position: Position): string | null {
  if (position === 'secured') return door.secure_action_id ?? null
  return door.hold_action_id ?? (mode === 'evacuation' ? door.release_action_id : null)
}

/** Returns where an action brings the lock, if it does. */
export function positionAfter({ door }: DoorGadget, actionId: string): Position | null {
  if (actionId === door.hold_action_id) return 'held'
  return actionId === door.secure_action_id ? 'secured' : null
}

/**
 * Returns what a reported state says about the lock; null if it says nothing. The contact tells whether the door
 * stands open, which is not whether it is locked.
 */
export function positionOfState(gadget: DoorGadget, stateId: string): Position | null {
  const { states, door } = gadget
  if (stateId === door.open_state_id || stateId === door.closed_state_id) return null
  const shows = (action?: string | null) => action != null && impliedState(states, action) === stateId
  if (shows(door.hold_action_id)) return 'held'
  return shows(door.secure_action_id) ? 'secured' : null
}

/** Whether a held door stays so when the controller stops. In an evacuation it does. */
export function staysHeld({ door }: DoorGadget, mode: Mode): boolean {
  const fallback = door.lock_type === 'fail_safe' ? 'keep' : 'secure'
  return mode === 'evacuation' || (door.on_stop ?? fallback) === 'keep'
}
