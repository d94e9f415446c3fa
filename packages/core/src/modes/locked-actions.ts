import type { Door } from './mode-rows.ts'

/**
 * Whether an action opens a door, as far as the door says so: triggers do not run it during a lockdown.
 * Whatever lets people out is always run.
 */
export function opensDoor(door: Door, actionId: string): boolean {
  if (door.exit_action_ids?.includes(actionId)) return false
  return actionId === door.release_action_id || actionId === door.hold_action_id
}

/** Whether an action may open a door: nobody knows what else an action does that the door does not name. */
export function mayOpenDoor(door: Door, actionId: string): boolean {
  return actionId !== door.secure_action_id && !door.exit_action_ids?.includes(actionId)
}
