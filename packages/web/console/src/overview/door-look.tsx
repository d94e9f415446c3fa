import {
  IconDoor,
  IconDoorEnter,
  IconLock,
  IconLockOpen,
  IconPlugConnectedX,
  IconRun,
} from '../icons/icons.ts'
import type { DoorLook } from './door-state.ts'

const icons: Record<DoorLook, typeof IconDoor> = {
  open: IconDoorEnter,
  closed: IconDoor,
  unlocked: IconLockOpen,
  lockdown: IconLock,
  evacuation: IconRun,
  offline: IconPlugConnectedX,
  unknown: IconDoor,
}

export const lookWords: Record<DoorLook, string> = {
  open: 'Open',
  closed: 'Closed',
  unlocked: 'Unlocked',
  lockdown: 'Locked down',
  evacuation: 'Evacuation',
  offline: 'Offline',
  unknown: 'Online',
}

/** Shows how a door looks. Decorative where its words stand beside it. */
export function DoorIcon({ look, is_decorative }: { look: DoorLook; is_decorative?: boolean }) {
  const Icon = icons[look]
  if (is_decorative) return <Icon size={18} stroke={1.7} aria-hidden />
  return <Icon size={18} stroke={1.7} role="img" aria-label={lookWords[look]} aria-hidden={false} />
}
