import {
  IconDoor,
  IconDoorEnter,
  IconLock,
  IconLockOpen,
  IconPlugConnectedX,
  IconRun,
} from '../icons/icons.ts'
import { t } from '../language/t.ts'
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
  open: t('Open'),
  closed: t('Closed'),
  unlocked: t('Unlocked'),
  lockdown: t('Locked down'),
  evacuation: t('Evacuation'),
  offline: t('Offline'),
  unknown: t('Online'),
}

/** Shows how a door looks. Decorative where its words stand beside it. */
export function DoorIcon({ look, is_decorative }: { look: DoorLook; is_decorative?: boolean }) {
  const Icon = icons[look]
  if (is_decorative) return <Icon size={18} stroke={1.7} aria-hidden />
  return <Icon size={18} stroke={1.7} role="img" aria-label={lookWords[look]} aria-hidden={false} />
}
