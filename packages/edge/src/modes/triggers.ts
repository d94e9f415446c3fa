import type { TriggerRow } from '@gatehouse-access/core'
import type { DoorGadget } from './position.ts'

/** Whether a trigger would open a door in a lockdown. What lets people out always runs. */
export function isHeldBack(trigger: TriggerRow, { id, door }: DoorGadget): boolean {
  const { target_action_id: action, source_type, source_gadget_id, source_signal_id } = trigger
  const isRequest =
    source_type === 'signal' && source_gadget_id === id && source_signal_id === door.exit_signal_id
  if (isRequest || door.exit_action_ids?.includes(action)) return false
  return action === door.release_action_id || action === door.hold_action_id
}
