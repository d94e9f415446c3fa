import type { ItemOf } from '../data/collections.ts'

export type AlarmType = ItemOf<'alarms'>['type']

export const alarmTitles: Record<AlarmType, string> = {
  door_forced: 'Door forced open',
  door_held: 'Door held open',
  door_not_opened: 'Door released but not opened',
  door_tampered: 'Reader or box tampered with',
  device_offline: 'Device offline',
  device_power_lost: 'Device without mains power',
  device_battery_low: 'Device battery low',
  device_clock_unsure: 'Device clock unsure',
  device_events_lost: 'Device lost events',
  device_outdated: 'Device software outdated',
  access_denied_often: 'Access denied often',
  keypad_paused: 'Keypad paused after wrong codes',
  sync_at_risk: 'Access may not reach the door in time',
  emergency_started: 'Emergency started',
  emergency_not_arrived: 'Emergency did not reach every door',
  webhook_disabled: 'Webhook turned off',
  calendar_not_refreshed: 'Calendar could not be refreshed',
}
