import type { Trigger } from './trigger.ts'

export type SourceType = Trigger['source_type']
type AlarmType = NonNullable<Trigger['source_alarm_type']>

export interface Values {
  readonly source_type: SourceType
  readonly source_gadget_id: string | null
  readonly source_state_id: string | null
  readonly source_signal_id: string | null
  readonly source_schedule_id: string | null
  readonly source_schedule_event: 'enter' | 'exit'
  readonly source_alarm_type: AlarmType
  readonly source_alarm_event: 'begin' | 'end'
  readonly target_gadget_id: string | null
  readonly target_action_id: string | null
}

export function toValues(trigger: Trigger | undefined): Values {
  return {
    source_type: trigger?.source_type ?? 'state',
    source_gadget_id: trigger?.source_gadget_id ?? null,
    source_state_id: trigger?.source_state_id ?? null,
    source_signal_id: trigger?.source_signal_id ?? null,
    source_schedule_id: trigger?.source_schedule_id ?? null,
    source_schedule_event: trigger?.source_schedule_event ?? 'enter',
    source_alarm_type: trigger?.source_alarm_type ?? 'door_forced',
    source_alarm_event: trigger?.source_alarm_event ?? 'begin',
    target_gadget_id: trigger?.target_gadget_id ?? null,
    target_action_id: trigger?.target_action_id ?? null,
  }
}

/**
 * Sends only the fields of the chosen source and null for the rest, because the service rejects a mixture.
 */
export function toBody(values: Values) {
  const is = (type: SourceType) => values.source_type === type
  return {
    source_type: values.source_type,
    source_gadget_id: is('schedule') ? null : values.source_gadget_id,
    source_state_id: is('state') ? values.source_state_id : null,
    source_signal_id: is('signal') ? values.source_signal_id : null,
    source_schedule_id: is('schedule') ? values.source_schedule_id : null,
    source_schedule_event: is('schedule') ? values.source_schedule_event : null,
    source_alarm_type: is('alarm') ? values.source_alarm_type : null,
    source_alarm_event: is('alarm') ? values.source_alarm_event : null,
    target_gadget_id: values.target_gadget_id ?? '',
    target_action_id: values.target_action_id ?? '',
  }
}
