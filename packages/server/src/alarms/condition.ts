import type { AlarmSeverity, AlarmType } from '@gatehouse-access/core'
import { addSeconds } from '@gatehouse-access/core'
import type { Write } from '../store/write.ts'

/** What an alarm is about. */
export interface Subject {
  readonly site_id?: string | null
  readonly device_id?: string | null
  readonly gadget_id?: string | null
  readonly member_id?: string | null
  readonly emergency_id?: string | null
  readonly webhook_id?: string | null
  readonly calendar_id?: string | null
}

/** Something that is wrong since a time. It becomes an alarm, or one more occurrence of the alarm that it had. */
export interface Condition extends Subject {
  readonly type: AlarmType
  /** Says which condition it is, also the next time: its type and its subject. */
  readonly condition_key: string
  /** When it began where it happened. */
  readonly started_at: string
  /** For something of a moment: over when it is learned of. */
  readonly ended_at?: string
  /** Its own severity, if it is not that of its type. */
  readonly severity?: AlarmSeverity
  /** Whether we learned of it long after. */
  readonly is_late?: boolean
  readonly is_drill?: boolean
}

/** The end of a condition. */
export interface End {
  readonly condition_key: string
  readonly ended_at: string
}

/** Who writes, and when. */
export type Author = Pick<Write, 'caller' | 'now'>

export function conditionKey(type: AlarmType, id: string): string {
  return `${type}:${id}`
}

/** Seconds after which what we learn of is late. */
const late = 900

export function isLate(startedAt: string, learnedAt: string): boolean {
  return addSeconds(startedAt, late) < learnedAt
}

/** Splits what happened, in order, so that no part tells of one condition twice. */
export function* apart<Told extends { readonly condition_key: string }>(
  all: readonly Told[],
): Generator<Told[]> {
  let part = new Map<string, Told>()
  for (const told of all) {
    if (part.has(told.condition_key)) {
      yield [...part.values()]
      part = new Map()
    }
    part.set(told.condition_key, told)
  }
  if (part.size > 0) yield [...part.values()]
}
