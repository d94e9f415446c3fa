import type { AlarmChange, DoorAlarmType } from '@gatehouse-access/core'
import type { EventDraft } from '../recorder.ts'
import type { MonitoredDoor } from './alarm-memory.ts'

/** A door after something was noted, and what the journal has to say about it. */
interface Noted {
  readonly door: MonitoredDoor
  readonly events: EventDraft[]
}

/** Notes that an alarm began or ended. An end is told only where the beginning was. */
export function noteAlarm(
  gadget_id: string,
  door: MonitoredDoor,
  { type: alarm_type, event }: AlarmChange,
  when: string,
  is_told: boolean,
): Noted {
  const { [alarm_type]: known, ...others } = door.alarms
  const about = { type: 'alarm', gadget_id, alarm_type } as const
  if (event === 'begin')
    return {
      door: { ...door, alarms: { ...others, [alarm_type]: { started_at: when, is_told } } },
      events: is_told ? [{ ...about, is_over: false, started_at: when }] : [],
    }
  const ended = { ...door, alarms: others }
  if (!known?.is_told) return { door: ended, events: [] }
  const { started_at } = known
  // Meanwhile the clock may have been corrected.
  const ended_at = when < started_at ? started_at : when
  return { door: ended, events: [{ ...about, is_over: true, started_at, ended_at }] }
}

/** Tells the alarms of a door that are on and that the journal does not have yet. */
export function tellAlarms(gadget_id: string, door: MonitoredDoor): Noted {
  const on = Object.entries(door.alarms)
  const events = on
    .filter(([, { is_told }]) => !is_told)
    .map(
      ([type, { started_at }]): EventDraft => ({
        type: 'alarm',
        gadget_id,
        alarm_type: type as DoorAlarmType,
        is_over: false,
        started_at,
      }),
    )
  const told = on.map(([type, alarm]) => [type, { ...alarm, is_told: true }])
  return { door: { ...door, alarms: Object.fromEntries(told) }, events }
}
