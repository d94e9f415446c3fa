import { addSeconds } from '@gatehouse-access/core'
import type { Matter, Plan, Tell, Telling, TellingRule, ToldOf } from './matter.ts'
import { waitOf, waitOfLate } from './waits.ts'

const mostRepeats = 20
/** Seconds after which a rule that does not count now is looked at again at the latest: somebody may change it. */
const longestLook = 3600

/**
 * Decides what is due for an alarm and a rule. Pure: the same in every process, and after a crash.
 *
 *   over, somebody was told ──────────▶ its end, to them
 *   over, nobody was told ────────────▶ its beginning and end in one, if it held for the delay; in a digest if late
 *   explained, in maintenance, taken ─▶ nothing, until something happens to it
 *   on, not told ─────────────────────▶ its beginning, after the delay and once the rule counts
 *   on, told ─────────────────────────▶ repetitions and escalations, while the rule counts
 */
export function plan(matter: Matter, now: string): Plan {
  const { alarm, rule, telling } = matter
  if (alarm.is_over) return planOver(matter)
  if (!rule || isKept(alarm) || alarm.state !== 'open') return later(telling, null)
  return telling.is_told ? planTold(matter, rule, now) : planBeginning(matter, rule, now)
}

/** Whether nobody is told of it. */
function isKept({ cause_alarm_id, in_maintenance }: ToldOf): boolean {
  return cause_alarm_id !== null || in_maintenance
}

function later(telling: Telling, due_at: string | null): Plan {
  return { tell: [], next: { ...telling, due_at } }
}

function planOver({ alarm, hours, rule, telling }: Matter): Plan {
  const { ended_at, is_late, last_occurred_at, severity, state } = alarm
  if (telling.told_since !== null)
    return { tell: [{ reason: 'ended', to: 'told', wait: waitOf(severity) }], next: 'done' }
  if (telling.is_told || !rule || isKept(alarm) || state !== 'open') return { tell: [], next: 'done' }
  const hasHeld = (ended_at ?? '') >= addSeconds(last_occurred_at, rule.delay_seconds)
  if (!hasHeld || hours.opensAt(last_occurred_at) !== last_occurred_at) return { tell: [], next: 'done' }
  const told: Tell = is_late
    ? { reason: 'digest', to: rule.notify, wait: waitOfLate }
    : { reason: 'opened', to: rule.notify, wait: waitOf(severity) }
  return { tell: [told], next: 'done' }
}

function planBeginning({ alarm, hours, telling }: Matter, rule: TellingRule, now: string): Plan {
  const ripe = addSeconds(alarm.last_occurred_at, rule.delay_seconds)
  const from = ripe > now ? ripe : now
  const opens = hours.opensAt(from)
  if (opens === null || opens > now) return later(telling, earliest([opens, addSeconds(now, longestLook)]))
  // Those that the beginning of a schedule frees are ready together.
  const wasHeld = hours.opensAt(alarm.last_occurred_at) !== alarm.last_occurred_at
  const wait = wasHeld ? 0 : waitOf(alarm.severity)
  const told: Telling = {
    ...{ due_at: null, is_told: true, told_at: now, told_since: telling.told_since ?? now },
    ...{ repeated_at: null, repeat_count: 0, escalation_count: 0 },
  }
  return {
    tell: [{ reason: 'opened', to: rule.notify, wait }],
    next: { ...told, due_at: nextOf(told, rule) },
  }
}

function planTold({ alarm, hours, telling }: Matter, rule: TellingRule, now: string): Plan {
  const opens = hours.opensAt(now)
  if (opens !== now) return later(telling, earliest([opens, addSeconds(now, longestLook)]))
  const wait = waitOf(alarm.severity)
  const repeat = repeatOf(telling, rule)
  const isRepeated = repeat !== null && repeat <= now
  const steps = rule.escalate.slice(telling.escalation_count).filter(step => isDue(telling, step, now))
  const before = rule.escalate.slice(0, telling.escalation_count)
  const known = [...rule.notify, ...before.flatMap(({ notify }) => notify)]
  const next: Telling = {
    ...telling,
    ...(isRepeated && { repeated_at: now, repeat_count: telling.repeat_count + 1 }),
    escalation_count: telling.escalation_count + steps.length,
  }
  return {
    tell: [
      ...(isRepeated ? [{ reason: 'repeated', to: known, wait } as const] : []),
      ...steps.map(({ notify }) => ({ reason: 'escalated', to: notify, wait }) as const),
    ],
    next: { ...next, due_at: nextOf(next, rule) },
  }
}

function nextOf(telling: Telling, rule: TellingRule): string | null {
  const step = rule.escalate[telling.escalation_count]
  const escalation = step ? addSeconds(telling.told_at ?? '', step.after_seconds) : null
  return earliest([repeatOf(telling, rule), escalation])
}

/** Counted from the last time, so that a pause is followed by one repetition and not by all that it had. */
function repeatOf({ told_at, repeated_at, repeat_count }: Telling, rule: TellingRule): string | null {
  if (rule.repeat_seconds === null || repeat_count >= mostRepeats) return null
  return addSeconds(repeated_at ?? told_at ?? '', rule.repeat_seconds)
}

function isDue({ told_at }: Telling, step: { readonly after_seconds: number }, now: string): boolean {
  return addSeconds(told_at ?? '', step.after_seconds) <= now
}

function earliest(times: readonly (string | null)[]): string | null {
  return times.filter(time => time !== null).toSorted()[0] ?? null
}
