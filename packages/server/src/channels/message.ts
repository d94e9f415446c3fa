import type { AlarmSeverity, AlarmType } from '@gatehouse-access/core'
import type { Language } from '../texts/language.ts'

/** An alarm as people are told of it: what, where and since when. Never who: a screen may show it to anybody. */
export interface ToldAlarm {
  readonly id: string
  readonly type: AlarmType
  readonly severity: AlarmSeverity
  /** The names of the door or device and of its site. */
  readonly place: string
  readonly started_at: string
  readonly ended_at: string | null
  /** Seconds that the clock at the place is ahead of UTC. */
  readonly utc_offset: number
}

/** One message to one recipient. The first alarm is the gravest. A test has none. */
export interface Message {
  /** The same in every attempt, so that receivers can recognize a repetition. */
  readonly id: string
  readonly organization: { readonly id: string; readonly name: string }
  readonly reason: 'opened' | 'repeated' | 'escalated' | 'ended' | 'digest' | 'test'
  readonly alarms: readonly ToldAlarm[]
  /** How many it is about, if `alarms` has only the gravest of them. */
  readonly alarm_count?: number
  readonly language: Language
  /** Where to read on. Needs a sign-in. */
  readonly url: string
}

/** How grave a message is. Ends and tests are told without a sound. */
export function severityOf({ alarms }: Message): AlarmSeverity {
  return alarms[0]?.severity ?? 'info'
}

/** How many alarms a message is about. */
export function countOf({ alarm_count, alarms }: Message): number {
  return alarm_count ?? alarms.length
}

export function isSilent({ reason }: Message): boolean {
  return reason === 'ended' || reason === 'test'
}
