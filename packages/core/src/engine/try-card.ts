import { type Attempt, isPresent, settleAttempt, settleSite, weekSecond } from './attempt.ts'
import { cardLength, moreBit, presenceBit, scheduleShift, tooMany } from './cards.ts'
import { type Group, livingBit, mayConcern, type Rule } from './groups.ts'
import type { Schedule } from './places.ts'
import type { Policy } from './policy.ts'
import { type Stage, stages } from './reasons.ts'
import { everything, nothing } from './targets.ts'
import { tryGroup, tryRule } from './try-rules.ts'
import { isInWeek } from './week.ts'

/** What `tryGroup` answers for the group of a number, from as little memory as that takes. */
export function tryNumberedGroup(policy: Policy, number: number, attempt: Attempt): Stage {
  if ((policy.groups.filters[number] as number) < livingBit) return stages.group_deleted
  if (!attempt.has_action || !mayConcern(policy.groups, number, attempt)) return stages.no_matching_rule
  return tryCard(policy, number, attempt)
}

function tryCard(policy: Policy, number: number, attempt: Attempt): Stage {
  const { cards } = policy.groups
  const start = number * cardLength
  let best: Stage = stages.no_matching_rule
  for (let place = start; place < start + cardLength && best !== stages.allowed; place += 2) {
    const target = cards[place] as number
    if (target === nothing) return best
    if (target === attempt.gadget_target || target === attempt.site_target || target === everything)
      best = Math.max(best, tryShort(policy, number, (place - start) >> 1, attempt, best))
    else if (target === tooMany) return tryWholeGroup(policy, number, attempt)
  }
  return best
}

function tryShort(policy: Policy, group: number, index: number, attempt: Attempt, reached: Stage): Stage {
  const conditions = policy.groups.cards[group * cardLength + index * 2 + 1] as number
  if ((conditions & moreBit) !== 0) return tryWholeRule(policy, group, index, attempt, reached)
  const schedule = conditions >>> scheduleShift
  if (schedule !== 0) return tryScheduled(policy, schedule - 1, conditions, attempt)
  return (conditions & attempt.method) === 0
    ? stages.method_not_allowed
    : tryPresence(policy, conditions, attempt)
}

function tryScheduled(policy: Policy, number: number, conditions: number, attempt: Attempt): Stage {
  const schedule = policy.places.schedule_cells[number] as Schedule
  if (!schedule.is_living) return stages.no_matching_rule
  if ((conditions & attempt.method) === 0) return stages.method_not_allowed
  const isOpen = isInWeek(schedule.week, weekSecond(settleSite(policy, attempt)))
  return isOpen ? tryPresence(policy, conditions, attempt) : stages.outside_schedule
}

function tryPresence(policy: Policy, conditions: number, attempt: Attempt): Stage {
  if ((conditions & presenceBit) === 0) return stages.allowed
  return isPresent(settleSite(policy, attempt)) ? stages.allowed : stages.not_present
}

function tryWholeRule(policy: Policy, group: number, index: number, attempt: Attempt, reached: Stage): Stage {
  const { rules } = policy.groups.by_number[group] as Group
  return tryRule(rules[index] as Rule, settleAttempt(policy, attempt), reached)
}

function tryWholeGroup(policy: Policy, number: number, attempt: Attempt): Stage {
  return tryGroup(policy.groups.by_number[number] as Group, settleAttempt(policy, attempt))
}
