import type { ItemOf } from '../data/collections.ts'
import { t } from '../language/t.ts'

export type AlarmType = ItemOf<'alarms'>['type']

export const alarmTitles: Record<AlarmType, string> = {
  door_forced: t('Door forced open'),
  door_held: t('Door held open'),
  door_not_opened: t('Door released but not opened'),
  door_tampered: t('Reader or box tampered with'),
  device_offline: t('Device offline'),
  device_power_lost: t('Device without mains power'),
  device_battery_low: t('Device battery low'),
  device_clock_unsure: t('Device clock unsure'),
  device_events_lost: t('Device lost events'),
  device_outdated: t('Device software outdated'),
  access_denied_often: t('Access denied often'),
  keypad_paused: t('Keypad paused after wrong codes'),
  sync_at_risk: t('Access may not reach the door in time'),
  emergency_started: t('Emergency started'),
  emergency_not_arrived: t('Emergency did not reach every door'),
  webhook_disabled: t('Webhook turned off'),
  calendar_not_refreshed: t('Calendar could not be refreshed'),
}
