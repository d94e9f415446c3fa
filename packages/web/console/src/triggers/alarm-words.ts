import type { Trigger } from './trigger.ts'

/** The alarms of doors that can trigger something. */
export const alarmWords: Record<NonNullable<Trigger['source_alarm_type']>, string> = {
  door_forced: 'Forced open',
  door_held: 'Held open',
  door_tampered: 'Tampered with',
}
