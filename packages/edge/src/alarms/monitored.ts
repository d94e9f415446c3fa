import {
  type DoorAlarmType,
  type DoorMonitorOptions,
  type DoorWatch,
  startWatch,
} from '@gatehouse-access/core'
import type { DoorGadget } from '../modes/position.ts'
import type { MonitoredDoor } from './alarm-memory.ts'

/** Whether a door has a contact. Without one, nobody can tell whether it was forced or is held. */
export function hasContact({ door }: DoorGadget): boolean {
  return door.open_state_id != null && door.closed_state_id != null
}

/** What a state says about the contact; null if it says nothing. */
export function levelOf({ door }: DoorGadget, stateId: string | undefined): boolean | null {
  if (stateId === undefined) return null
  if (stateId === door.open_state_id) return true
  return stateId === door.closed_state_id ? false : null
}

/** `door_not_opened` is left out until a rule can ask a controller for it. */
export function optionsOf({ door }: DoorGadget): DoorMonitorOptions {
  return {
    release_seconds: door.release_seconds ?? 5,
    held_open_seconds: door.held_open_seconds ?? null,
    tells_not_opened: false,
  }
}

export function newDoor(watch: DoorWatch): MonitoredDoor {
  return { watch, alarms: {}, is_unlocked: false, is_held: false }
}

/** After a start, only the alarms that were on are still true. Where one was, the door stood open. */
export function restarted(door: MonitoredDoor, isOpen: boolean, at: number): MonitoredDoor {
  const on = Object.keys(door.alarms) as DoorAlarmType[]
  const wasOpen = on.includes('door_forced') || on.includes('door_held')
  return { ...door, is_unlocked: false, watch: startWatch(at, isOpen || wasOpen, on) }
}

/** What an action means for the monitor. */
export function meaningOf({ door }: DoorGadget, actionId: string): 'release' | 'hold' | 'secure' | null {
  if (actionId === door.hold_action_id) return 'hold'
  if (actionId === door.secure_action_id) return 'secure'
  const isRelease = actionId === door.release_action_id || door.exit_action_ids?.includes(actionId)
  return isRelease ? 'release' : null
}
