import type { ObjectOf, Resources } from '@gatehouse-access/api'

export type Alarm = ObjectOf<Resources['alarm']>

interface Named {
  readonly name: string
}

/** What an alarm is about, as far as it was expanded. */
export type Told = { readonly [Place in (typeof places)[number] | 'site']?: Named | null }

const places = ['gadget', 'device', 'member', 'emergency', 'webhook', 'calendar'] as const
export const placesOfAlarms = ['site', ...places] as const

export const alarmHeadings = ['ID', 'SEVERITY', 'TYPE', 'WHERE', 'SINCE', 'ENDED', 'STATE'] as const

/** Says an alarm in the columns of a table. */
export function formatAlarm(alarm: Alarm & Told): string[] {
  const { ended_at, id, is_flapping, occurrence_count, severity, started_at, state, type } = alarm
  const often = occurrence_count > 1 ? `, ${occurrence_count} times` : ''
  const end = ended_at === null ? (is_flapping ? 'flaps' : '') : formatTime(ended_at)
  return [id, severity, type, whereOf(alarm), formatTime(started_at), end, `${state}${often}`]
}

function whereOf(alarm: Told): string {
  const about = places.map(place => alarm[place]?.name).find(name => name !== undefined)
  return [about, alarm.site?.name].filter(name => name !== undefined).join(', ')
}

/** To the second: alarms are read by people. */
export function formatTime(time: string): string {
  return `${time.slice(0, 19)}Z`
}
