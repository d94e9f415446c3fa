import type { SliceRow } from '@gatehouse-access/api'
import { addSeconds, impliedState } from '@gatehouse-access/core'

/** Virtual doors that stand open: when each of them closes by itself, or null while it is held open. */
export type OpenDoors = Readonly<Record<string, string | null>>

type Gadget = Pick<SliceRow<'gadgets'>, 'id' | 'states' | 'door'>

/** What an action does to a virtual gadget. */
export interface Movement {
  readonly state_id: string
  readonly open_doors: OpenDoors
}

/**
 * A door moves as its `door` says: a release opens it for a while, unless it is held open. Any other gadget
 * shows the state that the action names. Returns undefined if there is nothing to show.
 */
export function movementOf(
  gadget: Gadget,
  action_id: string,
  open: OpenDoors,
  now: string,
): Movement | undefined {
  if (movesDoor(gadget.door, action_id)) return moveDoor(gadget, action_id, open, now)
  const state_id = impliedState(gadget.states, action_id)
  return state_id === undefined ? undefined : { state_id, open_doors: open }
}

/** Whether an action opens or locks the door, so that it does not just show a state of its name. */
export function movesDoor(door: Gadget['door'] | null, action_id: string): boolean {
  if (!door) return false
  const { release_action_id, hold_action_id, secure_action_id, exit_action_ids = [] } = door
  return [release_action_id, hold_action_id, secure_action_id, ...exit_action_ids].includes(action_id)
}

function moveDoor(
  { id, door }: Gadget,
  action_id: string,
  open: OpenDoors,
  now: string,
): Movement | undefined {
  if (!door?.open_state_id || !door.closed_state_id) return undefined
  // What locks a door does not close one that somebody keeps open.
  if (action_id === door.secure_action_id)
    return id in open ? { state_id: door.closed_state_id, open_doors: without(open, id) } : undefined
  const stays = action_id === door.hold_action_id || open[id] === null
  const closes_at = stays ? null : addSeconds(now, door.release_seconds ?? 5)
  return { state_id: door.open_state_id, open_doors: { ...open, [id]: closes_at } }
}

export function without(open: OpenDoors, gadgetId: string): OpenDoors {
  const { [gadgetId]: _, ...rest } = open
  return rest
}

/** Returns the doors whose time is over. */
export function dueDoors(open: OpenDoors, now: string): string[] {
  return Object.keys(open).filter(id => (open[id] ?? '~') <= now)
}

/** Returns when the next door closes. */
export function nextClosing(open: OpenDoors): string | null {
  const times = Object.values(open).filter(time => time !== null)
  return times.sort()[0] ?? null
}
