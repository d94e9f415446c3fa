import type { AlarmRow } from './alarm-row.ts'
import { addOpening, type Flapping, isFlapping, quietAt } from './flapping.ts'
import { isTaken } from './judge.ts'
import type { Settled } from './settle.ts'
import type { Changed } from './store-alarms.ts'
import type { Timer } from './timers.ts'

/** An alarm whose condition has begun again. While it flaps, nobody is told of each time. */
export function reopened(last: AlarmRow, settled: Settled): Changed {
  const { condition, place, severity, alarm_rule_ids, cause_alarm_id } = settled
  const { started_at, ended_at = null } = condition
  const flapping = addOpening(last.flapping ?? undefined, last.last_occurred_at, started_at)
  const is_flapping = last.is_flapping || isFlapping(flapping)
  const row: AlarmRow = {
    ...last,
    ...(isTaken(last, started_at) ? {} : free),
    severity,
    is_over: ended_at !== null && !is_flapping,
    ended_at: is_flapping ? null : ended_at,
    occurrence_count: last.occurrence_count + 1,
    last_occurred_at: started_at,
    alarm_rule_ids,
    cause_alarm_id,
    is_late: condition.is_late ?? false,
    in_maintenance: place?.in_maintenance ?? false,
    closes_at: null,
    is_flapping,
    flapping: is_flapping && ended_at ? { ...flapping, over_at: ended_at } : flapping,
  }
  // What somebody had closed or taken, and is open again, is news though it flaps.
  const isNews = !last.is_flapping || row.state !== last.state
  return { row, reason: isNews ? 'reopened' : undefined }
}

/** Nobody has it. */
const free = {
  state: 'open',
  acknowledged_at: null,
  acknowledged_by_user_id: null,
  snoozed_until: null,
} as const

/** Remembers the openings of an alarm until it has been quiet for long enough. */
export function timerOf({ condition_key, flapping }: AlarmRow): Timer[] {
  return flapping ? [calmTimer(condition_key, flapping)] : []
}

export function calmTimer(key: string, about: Flapping): Timer {
  return { kind: 'calm', key, due_at: quietAt(about), about }
}
