import type { SliceKind } from '@gatehouse-access/api'
import type { PolicyMessage } from '../policy-intake.ts'

/** The rows that the mode of a door follows from. */
const modeKinds: readonly SliceKind[] = [
  'emergencies',
  'overrides',
  'unlock_rules',
  'sites',
  'gadgets',
  'schedules',
  'zones',
]

/** Whether the service waits for word about the doors after a message. */
export function mayChangeModes(message: PolicyMessage): boolean {
  if (message.type !== 'delta') return true
  const { put, remove } = message
  return modeKinds.some(kind => put[kind] || remove[kind])
}
