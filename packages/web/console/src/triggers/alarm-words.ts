import { t } from '../language/t.ts'
import type { Trigger } from './trigger.ts'

/** The alarms of doors that can trigger something. */
export const alarmWords: Record<NonNullable<Trigger['source_alarm_type']>, string> = {
  door_forced: t('Forced open'),
  door_held: t('Held open'),
  door_tampered: t('Tampered with'),
}
