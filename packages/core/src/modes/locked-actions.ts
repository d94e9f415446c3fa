import type { Door } from './mode-rows.ts'

/** Whether an action may open a door: nobody knows what else an action does that the door does not name. */
export function mayOpenDoor(door: Door, actionId: string): boolean {
  return actionId !== door.secure_action_id && !door.exit_action_ids?.includes(actionId)
}
