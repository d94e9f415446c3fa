import { type Alarm, severities } from './alarm.ts'

/** An alarm with those that it explains. */
export interface Folded {
  readonly head: Alarm
  readonly explained: readonly Alarm[]
}

/**
 * Folds explained alarms under their cause, and sorts: gravest first, then what is still on, then newest. The cause may be missing from
 * the list, because it is older than what was loaded or already taken; then it comes along with what it explains.
 */
export function fold(alarms: readonly Alarm[]): readonly Folded[] {
  const explained = new Map<string, Alarm[]>()
  const heads = new Map<string, Alarm>()
  for (const alarm of alarms) if (!alarm.cause_alarm) heads.set(alarm.id, alarm)
  for (const alarm of alarms) {
    const { cause_alarm: cause } = alarm
    if (!cause) continue
    if (!heads.has(cause.id)) heads.set(cause.id, cause)
    explained.set(cause.id, [...(explained.get(cause.id) ?? []), alarm])
  }
  return [...heads.values()]
    .map(head => ({ head, explained: explained.get(head.id) ?? [] }))
    .toSorted((a, b) => rankOf(a.head) - rankOf(b.head) || laterThan(a.head, b.head))
}

function rankOf({ severity, is_over }: Alarm): number {
  return severities.indexOf(severity) * 2 + Number(is_over)
}

function laterThan(a: Alarm, b: Alarm): number {
  return Date.parse(b.started_at) - Date.parse(a.started_at)
}
