import { type Attempt, dayOfAttempt, isPresent, weekSecond } from './attempt.ts'
import { isInside } from './days/bounds.ts'
import { timesOn } from './days/times-on.ts'
import { type Group, type Rule, rulesOfTarget, targetsOf } from './groups.ts'
import { grants, lineage } from './inheritance.ts'
import { type Stage, stages } from './reasons.ts'
import type { Schedule } from './schedules.ts'
import type { Steps } from './steps.ts'
import { daySeconds } from './week.ts'

/**
 * Returns how far a group lets an attempt get, which is as far as its best rule. A rule that inherits is the
 * intersection of itself and the inherited group, so it gets as far as the weaker of the two.
 */
export function tryGroup(group: Group, attempt: Attempt): Stage {
  return group.by_target === null ? tryFew(group, attempt) : tryMany(group.by_target, attempt)
}

/** Skips the inherited group when the rule itself gets no further than `reached`. */
export function tryRule(rule: Rule, attempt: Attempt, reached: Stage): Stage {
  const own = tryOwnConditions(rule, attempt)
  if (rule.inherits === null || own <= reached) return own
  return Math.min(own, tryInherited(rule.inherits, attempt))
}

/** Whether all conditions except the schedule hold. These conditions do not change with time. */
export function passesApartFromTime(rule: Rule, attempt: Attempt): boolean {
  return isTarget(rule, attempt) && allowsMethod(rule, attempt) && hasPresence(rule, attempt)
}

function tryFew({ rules }: Group, attempt: Attempt): Stage {
  let best: Stage = stages.no_matching_rule
  for (const rule of rules) if (best !== stages.allowed) best = Math.max(best, tryRule(rule, attempt, best))
  return best
}

function tryMany(byTarget: Group['by_target'], attempt: Attempt): Stage {
  let best: Stage = stages.no_matching_rule
  for (const target of targetsOf(attempt))
    for (const rule of rulesOfTarget(byTarget, target))
      if (best !== stages.allowed) best = Math.max(best, tryRule(rule, attempt, best))
  return best
}

function tryOwnConditions(rule: Rule, attempt: Attempt): Stage {
  if (!isTarget(rule, attempt)) return stages.no_matching_rule
  if (!allowsMethod(rule, attempt)) return stages.method_not_allowed
  if (!isOnSchedule(rule, attempt)) return stages.outside_schedule
  return hasPresence(rule, attempt) ? stages.allowed : stages.not_present
}

/** A rule with a deleted schedule matches nothing. */
export function isTarget({ gadget, site, tag, action_id, schedule }: Rule, attempt: Attempt): boolean {
  if (!attempt.has_action) return false
  if (gadget !== null && gadget !== attempt.gadget) return false
  if (site !== null && site !== attempt.gadget.site) return false
  if (tag !== null && gadget === null && !attempt.gadget.tags.includes(tag)) return false
  if (schedule !== null && !schedule.is_living) return false
  return action_id === null || action_id === attempt.action_id
}

function allowsMethod(rule: Rule, attempt: Attempt): boolean {
  return (rule.methods & attempt.method) !== 0
}

export function isOnSchedule({ schedule }: Rule, attempt: Attempt): boolean {
  if (schedule === null) return true
  if (schedule.days !== null) return isOnSpecialSchedule(schedule, attempt)
  return isInside(schedule.week, weekSecond(attempt))
}

function isOnSpecialSchedule(schedule: Schedule, attempt: Attempt): boolean {
  const times = timesOn(schedule, attempt.site, dayOfAttempt(attempt))
  if (times === null) return isInside(schedule.week, weekSecond(attempt))
  return isInside(times, weekSecond(attempt) % daySeconds)
}

function hasPresence(rule: Rule, attempt: Attempt): boolean {
  return !rule.needs_presence || isPresent(attempt)
}

/** Tries each inherited group once, ancestors first, however many paths lead to it. */
function tryInherited(group: Group, attempt: Attempt): Stage {
  if (!grants(group)) return stages.no_matching_rule
  attempt.inherited ??= new Map()
  const known = attempt.inherited.get(group)
  if (known !== undefined) return known
  for (const ancestor of lineage(group, attempt.inherited)) tryOnce(ancestor, attempt, attempt.inherited)
  return attempt.inherited.get(group) ?? stages.no_matching_rule
}

/** Tries the inherited groups in steps, so that their results are cached when the group itself is tried. */
export function* tryParents(parents: Iterable<Group>, attempt: Attempt): Steps<void> {
  attempt.inherited ??= new Map()
  for (const parent of parents) {
    if (!grants(parent) || attempt.inherited.has(parent)) continue
    for (const ancestor of lineage(parent, attempt.inherited)) {
      tryOnce(ancestor, attempt, attempt.inherited)
      yield
    }
  }
}

/** Like `tryGroup`, but in steps, and caches the result in the attempt. */
export function* tryGroupSteps(group: Group, attempt: Attempt): Steps<Stage> {
  attempt.inherited ??= new Map()
  yield* tryParents(group.inherits, attempt)
  tryOnce(group, attempt, attempt.inherited)
  return attempt.inherited.get(group) ?? stages.no_matching_rule
}

function tryOnce(group: Group, attempt: Attempt, inherited: Map<Group, Stage>): void {
  if (!inherited.has(group))
    inherited.set(group, group.is_living ? tryGroup(group, attempt) : stages.no_matching_rule)
}
