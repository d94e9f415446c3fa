import { type DoorMode, describeMode } from '../modes/effective-mode.ts'
import type { Mode } from '../modes/precedence.ts'
import { associationId, groupNumber, linksInOrder } from './associations.ts'
import { type Attempt, createAttempt, dayIdOf, dayOfAttempt, openAttempt, type Question } from './attempt.ts'
import { describeDay, type ScheduleDay } from './days/schedule-day.ts'
import { nextPassing } from './doors/next-passing.ts'
import { asksMode, spanOfDoorSteps } from './doors/span-of-door.ts'
import { isFree, tryNeeds } from './doors/stage-e.ts'
import { type Group, type Rule, rulesFor } from './groups.ts'
import { countDepths, grants, lineage } from './inheritance.ts'
import { fromMicroseconds, lastInstant } from './microseconds.ts'
import type { Policy } from './policy.ts'
import { type Decision, decisionAt, type Reason, reasonAt, type Stage, stages } from './reasons.ts'
import { finish, type Steps } from './steps.ts'
import { tryGroupSteps, tryParents, tryRule } from './try-rules.ts'
import { trySuspensions } from './try-suspensions.ts'
import { tryAssociationWindow, tryMemberWindow } from './try-windows.ts'

/**
 * A rule that was tried, because its target covers the gadget. `rule_index` is null when the association
 * failed before its rules were tried, or when its group has no rule for the gadget.
 */
export interface TriedRule {
  member_group_association_id: string
  member_group_id: string
  rule_index: number | null
  /** Reached through `member_group_id` of another rule. It grants access only together with that rule. */
  is_inherited: boolean
  /** The first condition that failed, including those of inherited rules; null when all passed. */
  failed: Reason | null
  /**
   * The day on which the rule's schedule was read. Null for a rule without a schedule, or whose schedule is
   * deleted; without a rule; and where the local time is unknown.
   */
  schedule_day: ScheduleDay | null
}

export interface Explanation extends Decision {
  /** In evaluation order, limited to the first thousand. */
  rules: TriedRule[]
  /** The first instant at or after the requested time at which access is allowed if only time changes. */
  next_allowed_at: string | null
  /** The mode of the door at the requested time; absent for a gadget that is no door. */
  door?: ExplainedDoor
}

export interface ExplainedDoor extends Omit<DoorMode, 'effective'> {
  mode: Mode
}

/** More than anyone reads. Without a limit, many groups with much inheritance could exhaust the memory. */
const mostTried = 1000

export function explain(policy: Policy, question: Question): Explanation {
  return finish(explainSteps(policy, question))
}

export function* explainSteps(policy: Policy, question: Question): Steps<Explanation> {
  if (policy.groups.are_depths_stale) yield* countDepths(policy.groups)
  const attempt = createAttempt()
  const opened = openAttempt(policy, question, attempt)
  if (opened !== stages.allowed) return { ...decisionAt(opened), rules: [], next_allowed_at: null }
  const rules: TriedRule[] = []
  const stage = yield* explainMember(policy, attempt, rules)
  const answer = decisionAt(yield* passDoor(policy, attempt, stage))
  const next = answer.allowed ? attempt.at : yield* nextPassing(policy, attempt)
  const next_allowed_at = next <= lastInstant ? fromMicroseconds(next) : null
  return { ...answer, rules, next_allowed_at, ...(yield* doorOf(policy, attempt)) }
}

/** Returns how far an attempt gets that got so far by the member's permissions. */
function* passDoor(policy: Policy, attempt: Attempt, stage: Stage): Steps<Stage> {
  if (!asksMode(policy, attempt.gadget)) return stage
  const span = yield* spanOfDoorSteps(policy, attempt.gadget, attempt.at)
  if (isFree(span, attempt)) return stages.allowed
  return stage === stages.allowed ? tryNeeds(policy, attempt, span) : stage
}

function* doorOf(policy: Policy, { at, gadget }: Attempt): Steps<Pick<Explanation, 'door'>> {
  if (gadget.door === null) return {}
  const { mode } = yield* spanOfDoorSteps(policy, gadget, at)
  const { effective, ...rest } = describeMode(mode)
  return { door: { mode: effective, ...rest } }
}

function* explainMember(policy: Policy, attempt: Attempt, rules: TriedRule[]): Steps<Stage> {
  let stage = tryMemberWindow(policy.members, attempt.member, attempt.at)
  if (stage === stages.allowed) stage = trySuspensions(policy, attempt)
  if (stage !== stages.allowed) return stage
  let best: Stage = stages.no_association
  for (const link of linksInOrder(policy, attempt.member)) {
    best = Math.max(best, yield* explainAssociation(policy, attempt, link, rules))
    yield
  }
  return best
}

function* explainAssociation(
  policy: Policy,
  attempt: Attempt,
  link: number,
  rules: TriedRule[],
): Steps<Stage> {
  const { associations, groups } = policy
  const group = groups.by_number[groupNumber(associations, link)] as Group
  let stage = tryAssociationWindow(associations, link, attempt.at)
  if (stage === stages.allowed && !group.is_living) stage = stages.group_deleted
  if (stage === stages.allowed && rules.length >= mostTried) return yield* tryGroupSteps(group, attempt)
  const id = associationId(associations, link - 1)
  if (stage === stages.allowed) return yield* explainGroup(group, attempt, id, rules)
  note(rules, { ...untried(id, group), failed: reasonAt(stage) })
  return stage
}

function* explainGroup(group: Group, attempt: Attempt, id: string, rules: TriedRule[]): Steps<Stage> {
  const candidates = rulesFor(group, attempt)
  if (candidates.length === 0) note(rules, untried(id, group))
  if (group.inherits.length > 0) yield* tryParents(group.inherits, attempt)
  let best: Stage = stages.no_matching_rule
  for (const rule of candidates) {
    const stage = tryRule(rule, attempt, stages.no_matching_rule)
    note(rules, tried(untried(id, group), rule, attempt, stage))
    best = Math.max(best, stage)
  }
  if (group.inherits.length > 0) yield* explainInherited(candidates, attempt, id, rules)
  return best
}

/** Visits each group once, however many inheritance paths lead to it. */
function* explainInherited(
  heirs: readonly Rule[],
  attempt: Attempt,
  id: string,
  rules: TriedRule[],
): Steps<void> {
  const ancestors = new Set<Group>()
  for (const parent of new Set(heirs.map(rule => rule.inherits))) {
    if (parent === null || ancestors.has(parent)) continue
    for (const group of lineage(parent, ancestors)) {
      if (rules.length >= mostTried) return
      ancestors.add(group)
      const head = { ...untried(id, group), is_inherited: true }
      for (const rule of grants(group) ? rulesFor(group, attempt) : [])
        note(rules, tried(head, rule, attempt, tryRule(rule, attempt, stages.no_matching_rule)))
      yield
    }
  }
}

function note(rules: TriedRule[], rule: TriedRule): void {
  if (rules.length < mostTried) rules.push(rule)
}

function untried(association: string, group: Group): TriedRule {
  return {
    member_group_association_id: association,
    member_group_id: group.id,
    rule_index: null,
    is_inherited: false,
    failed: 'no_matching_rule',
    schedule_day: null,
  }
}

function tried(head: TriedRule, rule: Rule, attempt: Attempt, stage: Stage): TriedRule {
  const schedule_day = scheduleDay(rule, attempt)
  return { ...head, rule_index: rule.index, failed: reasonAt(stage), schedule_day }
}

function scheduleDay({ schedule }: Rule, attempt: Attempt): ScheduleDay | null {
  const day = dayOfAttempt(attempt)
  if (schedule === null || !schedule.is_living || Number.isNaN(day)) return null
  return describeDay(schedule, attempt.site, day, kind => dayIdOf(attempt, kind))
}
