import type { AlarmChange } from './alarms/door-watch.ts'
import { livingGadget } from './engine/gadgets.ts'
import { second } from './engine/microseconds.ts'
import type { Policy } from './engine/policy.ts'
import { latestTurn } from './engine/turns.ts'

/** A gadget trigger, with its wire names. */
export interface TriggerRow {
  id: string
  source_type: 'state' | 'signal' | 'schedule' | 'alarm'
  source_gadget_id?: string | null
  source_state_id?: string | null
  source_signal_id?: string | null
  source_schedule_id?: string | null
  source_schedule_event?: 'enter' | 'exit' | null
  source_alarm_type?: TriggerAlarmType | null
  source_alarm_event?: 'begin' | 'end' | null
  target_gadget_id: string
  target_action_id: string
  is_deleted: boolean
}

/** The alarms of doors that can trigger something. */
export const triggerAlarmTypes = ['door_forced', 'door_held', 'door_tampered'] as const
export type TriggerAlarmType = (typeof triggerAlarmTypes)[number]

const day = 86_400 * second

/** Returns the triggers that fire when a gadget changes to a state. */
export function triggersOfState(
  triggers: Iterable<TriggerRow>,
  gadgetId: string,
  stateId: string,
): TriggerRow[] {
  return pick(
    triggers,
    row =>
      row.source_type === 'state' && row.source_gadget_id === gadgetId && row.source_state_id === stateId,
  )
}

/** Returns the triggers that fire on a gadget's signal. */
export function triggersOfSignal(
  triggers: Iterable<TriggerRow>,
  gadgetId: string,
  signalId: string,
): TriggerRow[] {
  return pick(
    triggers,
    row =>
      row.source_type === 'signal' && row.source_gadget_id === gadgetId && row.source_signal_id === signalId,
  )
}

/** Returns the triggers that fire when an alarm of a door begins or ends. */
export function triggersOfAlarm(
  triggers: Iterable<TriggerRow>,
  gadgetId: string,
  { type, event }: Pick<AlarmChange, 'type' | 'event'>,
): TriggerRow[] {
  return pick(
    triggers,
    row =>
      row.source_type === 'alarm' &&
      row.source_gadget_id === gadgetId &&
      row.source_alarm_type === type &&
      row.source_alarm_event === event,
  )
}

/** A trigger whose schedule started or ended at `at`. */
export interface DueTrigger {
  trigger: TriggerRow
  at: number
}

/**
 * Returns the schedule triggers that are due after one instant up to and including another, in due order. Of
 * missed turns, only the latest of each schedule counts, and none older than a day. The next call continues
 * from `until`, so that each turn is seen once.
 */
export function dueTriggers(
  policy: Policy,
  triggers: Iterable<TriggerRow>,
  after: number,
  until: number,
): DueTrigger[] {
  const due: DueTrigger[] = []
  for (const trigger of pick(triggers, row => row.source_type === 'schedule')) {
    const turn = latestTurnOf(policy, trigger, Math.max(after, until - day), until)
    if (turn && turn.event === trigger.source_schedule_event) due.push({ trigger, at: turn.at })
  }
  return due.sort((a, b) => a.at - b.at || (a.trigger.id < b.trigger.id ? -1 : 1))
}

/** Whether the action can run at all: its gadget is living and has the action. */
export function hasAction(policy: Policy, gadgetId: string, actionId: string): boolean {
  return livingGadget(policy, gadgetId)?.actions.includes(actionId) ?? false
}

function latestTurnOf(policy: Policy, trigger: TriggerRow, after: number, until: number) {
  const schedule = policy.places.schedules.get(trigger.source_schedule_id ?? '')
  const site = livingGadget(policy, trigger.target_gadget_id)?.site
  return schedule?.is_living && site ? latestTurn(schedule, site, after, until) : null
}

function pick(triggers: Iterable<TriggerRow>, fits: (row: TriggerRow) => boolean): TriggerRow[] {
  return [...triggers].filter(row => !row.is_deleted && fits(row))
}
