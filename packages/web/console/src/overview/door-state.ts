import { modeNames } from '../modes/mode.ts'
import type { Door } from './door.ts'

export type DoorLook = 'open' | 'closed' | 'unlocked' | 'lockdown' | 'evacuation' | 'offline' | 'unknown'

/** How a door looks: what its mode says of it, else its contact, else nothing is known. */
export function lookOf({ device, door, mode, state_id }: Door): DoorLook {
  if (device && !device.status.online) return 'offline'
  if (mode && mode.effective !== 'controlled') return mode.effective
  if (door && state_id !== null && state_id === door.open_state_id) return 'open'
  return door && state_id !== null && state_id === door.closed_state_id ? 'closed' : 'unknown'
}

/** Returns the state in words: `Open`, `Unlocked · Open`. */
export function stateWords(door: Door): string {
  const state = door.states.find(({ id }) => id === door.state_id)?.name
  const { mode } = door
  return [mode && mode.effective !== 'controlled' && modeNames[mode.effective], state]
    .filter(Boolean)
    .join(' · ')
}
