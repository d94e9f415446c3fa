/**
 * The types of alarms, as data: who raises them, how severe they are unless a rule says otherwise, and how long a
 * condition has to hold before it counts. The API, the console and the table of docs/alarms.md read it.
 */
export const alarmTypes = {
  door_forced: {
    severity: 'critical',
    delay_seconds: 0,
    of: 'gadget',
    when: 'the door was opened, and nobody was let in or out',
  },
  door_held: {
    severity: 'warning',
    delay_seconds: 0,
    of: 'gadget',
    when: 'the door has been open for longer than its `held_open_seconds`',
  },
  door_not_opened: {
    severity: 'info',
    delay_seconds: 0,
    of: 'gadget',
    when: 'the door was released for a member, and nobody opened it; no controller reports it yet, so no rule can name it',
    is_asked_for: true,
  },
  door_tampered: {
    severity: 'critical',
    delay_seconds: 0,
    of: 'gadget',
    when: 'the tamper contact of the door was opened',
  },
  device_offline: {
    severity: 'warning',
    delay_seconds: 300,
    of: 'device',
    when: 'the device is not connected',
  },
  device_power_lost: {
    severity: 'warning',
    delay_seconds: 60,
    of: 'device',
    when: 'the device runs on its battery',
  },
  device_battery_low: {
    severity: 'warning',
    delay_seconds: 60,
    of: 'device',
    when: 'the battery is under 20 %, or `thresholds.percent`; critical under 10 %',
    thresholds: ['percent'],
  },
  device_clock_unsure: {
    severity: 'warning',
    delay_seconds: 0,
    of: 'device',
    when: 'the device does not know what time it is',
  },
  device_events_lost: {
    severity: 'critical',
    delay_seconds: 0,
    of: 'device',
    when: 'the device had to drop events that it could not report',
  },
  device_outdated: {
    severity: 'info',
    delay_seconds: 0,
    of: 'device',
    when: 'the device does not understand something that its doors need',
  },
  access_denied_often: {
    severity: 'warning',
    delay_seconds: 0,
    of: 'gadget',
    when: 'access was denied 10 times in 5 minutes, or as `thresholds` say, at one gadget or to one member',
    thresholds: ['count', 'seconds'],
  },
  keypad_paused: {
    severity: 'warning',
    delay_seconds: 0,
    of: 'gadget',
    when: 'a keypad pauses, because too many wrong codes were typed',
  },
  sync_at_risk: {
    severity: 'warning',
    delay_seconds: 0,
    of: 'member',
    when: 'a stay begins within the hour, and a door of it has not confirmed the access',
  },
  emergency_started: {
    severity: 'critical',
    delay_seconds: 0,
    of: 'emergency',
    when: 'an emergency was started',
  },
  emergency_not_arrived: {
    severity: 'critical',
    delay_seconds: 0,
    of: 'emergency',
    when: 'an emergency has not arrived at all of its doors',
  },
  webhook_disabled: {
    severity: 'warning',
    delay_seconds: 0,
    of: 'webhook',
    when: 'the service has turned a webhook off, because its receiver accepts nothing',
  },
  calendar_not_refreshed: {
    severity: 'warning',
    delay_seconds: 0,
    of: 'calendar',
    when: 'the source of a calendar cannot be read, or its days need to be accepted',
  },
} as const satisfies Readonly<Record<string, AlarmTypeData>>

interface AlarmTypeData {
  readonly severity: AlarmSeverity
  /** How long the condition has to hold, unless a rule says otherwise. */
  readonly delay_seconds: number
  /** What it is about. */
  readonly of: 'gadget' | 'device' | 'member' | 'emergency' | 'webhook' | 'calendar'
  readonly when: string
  /** Raised only where a rule names it. */
  readonly is_asked_for?: true
  readonly thresholds?: readonly AlarmThreshold[]
}

export type AlarmType = keyof typeof alarmTypes
export const alarmTypeNames = Object.keys(alarmTypes) as AlarmType[]
/** Those that a rule can name. Nothing tells a controller yet that somebody wants to know of doors that nobody opens. */
export const ruledTypeNames = alarmTypeNames.filter(type => type !== 'door_not_opened')

/** How long the condition of each type has to hold, unless a rule says otherwise. */
export const alarmDelays = Object.fromEntries(
  Object.entries(alarmTypes).map(([type, { delay_seconds }]) => [type, delay_seconds]),
)

/** Least severe first. */
export const alarmSeverities = ['info', 'warning', 'critical'] as const
export type AlarmSeverity = (typeof alarmSeverities)[number]

export const alarmThresholds = ['count', 'seconds', 'percent'] as const
export type AlarmThreshold = (typeof alarmThresholds)[number]

/** Where no rule says otherwise. */
export const usualThresholds = { count: 10, seconds: 300, percent: 20 } as const

/** Returns the thresholds that a type has. Most have none. */
export function thresholdsOf(type: AlarmType): readonly AlarmThreshold[] {
  const data: AlarmTypeData = alarmTypes[type]
  return data.thresholds ?? []
}
