import type { AlarmType } from '@gatehouse-access/core'
import type { AlarmRecipient } from './alarm-rule.ts'

/** What a new organization begins with: its owners hear of what cannot wait. */
export const firstAlarmRule = {
  name: 'What cannot wait',
  types: [
    'device_offline',
    'device_battery_low',
    'sync_at_risk',
    'door_forced',
    'emergency_started',
    'emergency_not_arrived',
  ] satisfies AlarmType[],
  notify: [{ role: 'owner' }] satisfies AlarmRecipient[],
}
