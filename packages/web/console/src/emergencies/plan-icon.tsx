import { IconLock, IconRun } from '../icons/icons.ts'
import type { EmergencyType } from './emergency.ts'

export function PlanIcon({ type, size = 18 }: { type: EmergencyType; size?: number }) {
  return type === 'lockdown' ? <IconLock size={size} aria-hidden /> : <IconRun size={size} aria-hidden />
}
