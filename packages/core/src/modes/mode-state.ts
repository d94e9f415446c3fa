import type { DoorEmergency, DoorSources } from './door-sources.ts'
import type { ModeWindow } from './mode-window.ts'
import { type Mode, type ModeSource, type PrecedenceLevel, precedence } from './precedence.ts'
import type { RuleSpan, UnlockRule } from './rule-spans.ts'

/** The mode of a door at an instant, in microseconds. */
export interface ModeState {
  effective: Mode
  source: ModeSource
  /** When the source began to hold, and when it ends; infinite if unknown. */
  since: number
  until: number
  unlock_rule_id: string | null
  emergency_ids: readonly string[]
}

/** What each rule says at the instant. */
export interface RuleNow extends RuleSpan {
  rule: UnlockRule
}

export interface Now {
  sources: DoorSources
  at: number
  rules: readonly RuleNow[]
}

const nothing: ModeState = {
  effective: 'controlled',
  source: 'default',
  since: -Infinity,
  until: Infinity,
  unlock_rule_id: null,
  emergency_ids: [],
}

/** Sees a door at an instant of the window. NaN stands for a clock that is not sure. */
export function lookAt(window: ModeWindow, at: number): Now {
  return { sources: window.sources, at, rules: rulesAt(window, at) }
}

/** Returns what the strongest level says that says something. */
export function modeOf(now: Now): ModeState {
  for (const { level } of precedence) {
    const state = levels[level](now)
    if (state !== null) return state
  }
  return nothing
}

/** Whether the level says something, be it that a stronger one goes before. */
export function speaks(level: PrecedenceLevel, now: Now): boolean {
  return levels[level](now) !== null
}

/** A rule whose clock is not sure says nothing. Unlocked goes before waiting, of whatever period. */
function rulesAt({ rules }: ModeWindow, at: number): RuleNow[] {
  return rules.flatMap(({ rule, spans }) => {
    const held = spans.filter(({ from, until }) => from <= at && at < until).sort((a, b) => b.until - a.until)
    const span = held.find(({ state }) => state === 'unlocked') ?? held[0]
    return span === undefined ? [] : [{ ...span, rule }]
  })
}

/** An emergency lasts while nobody is sure that it has ended. It counts from when it is known. */
export function lasting(emergencies: readonly DoorEmergency[], at: number): DoorEmergency[] {
  return emergencies.filter(emergency => !(at >= emergency.until))
}

const levels: Record<PrecedenceLevel, (now: Now) => ModeState | null> = {
  fire: ({ sources: { fire_since: since } }) =>
    since === null ? null : { ...nothing, effective: 'evacuation', source: 'fire', since },
  evacuation: ({ at, sources }) => ofEmergencies('evacuation', lasting(sources.evacuations, at)),
  lockdown: ({ at, sources }) => ofLockdowns(lasting(sources.lockdowns, at), sources.can_hold),
  override: ofOverride,
  unlock_rule: ofUnlockRules,
  default: ({ rules }) => ofWaiting(rules.filter(({ state }) => state === 'waiting')),
}

/** One lockdown that locks the door is enough. A door that cannot be held open is left as it is. */
function ofLockdowns(lockdowns: readonly DoorEmergency[], canHold: boolean): ModeState | null {
  const locking = lockdowns.filter(({ is_unlocking }) => !is_unlocking)
  if (locking.length > 0) return ofEmergencies('lockdown', locking)
  return canHold ? ofEmergencies('unlocked', lockdowns) : null
}

function ofEmergencies(effective: Mode, emergencies: readonly DoorEmergency[]): ModeState | null {
  if (emergencies.length === 0) return null
  return {
    ...nothing,
    effective,
    source: 'emergency',
    since: Math.min(...emergencies.map(({ since }) => since)),
    until: Math.max(...emergencies.map(({ until }) => until)),
    // In the order in which they began, whatever the order in which they became known.
    emergency_ids: [...emergencies].sort(byBeginning).map(({ id }) => id),
  }
}

function byBeginning(one: DoorEmergency, other: DoorEmergency): number {
  return one.since - other.since || (one.id < other.id ? -1 : 1)
}

/** While the clock is not sure, a door that was unlocked for a time is locked; a locked one stays so. */
function ofOverride({ at, sources: { can_hold, override } }: Now): ModeState | null {
  if (override === null || at >= override.until) return null
  const { is_timed, mode, since, until } = override
  if (mode === 'unlocked' && (!can_hold || (is_timed && Number.isNaN(at)))) return null
  return { ...nothing, effective: mode, source: 'override', since, until }
}

function ofUnlockRules({ rules, sources }: Now): ModeState | null {
  const open = rules.filter(({ state }) => state === 'unlocked')
  const last = latest(open)
  if (last === undefined || !sources.can_hold) return null
  const { rule, since, until } = { ...last, since: last.from }
  return { ...nothing, effective: 'unlocked', source: 'unlock_rule', since, until, unlock_rule_id: rule.id }
}

/** The rule that keeps the door closed is named, though the mode is that of any other door. */
function ofWaiting(waiting: readonly RuleNow[]): ModeState {
  const last = latest(waiting)
  if (last === undefined) return nothing
  return { ...nothing, since: last.from, until: last.until, unlock_rule_id: last.rule.id }
}

function latest(rules: readonly RuleNow[]): RuleNow | undefined {
  return rules.reduce<RuleNow | undefined>(
    (best, rule) => (best === undefined || rule.until > best.until ? rule : best),
    undefined,
  )
}
