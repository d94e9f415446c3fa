import { groupNumber, nextLink } from './associations.ts'
import { type Attempt, createAttempt, openAttempt, type Question } from './attempt.ts'
import { asksModeAt, isGuarded, spanOfDoor } from './doors/span-of-door.ts'
import { isFree, tryNeeds } from './doors/stage-e.ts'
import { type Group, isLiving, mayConcern } from './groups.ts'
import { countDepths } from './inheritance.ts'
import { firstLink } from './members.ts'
import type { Policy } from './policy.ts'
import { type Decision, decisionAt, type Stage, stages } from './reasons.ts'
import { finish } from './steps.ts'
import { tryGroup } from './try-rules.ts'
import { trySuspensions } from './try-suspensions.ts'
import { tryAssociationWindow, tryMemberWindow } from './try-windows.ts'

/** Reused for every decision: a fresh allocation for each would evict the policy from the CPU cache. */
const attempt = createAttempt()

export function decide(policy: Policy, question: Question): Decision {
  if (policy.groups.are_depths_stale) finish(countDepths(policy.groups))
  const stage = openAttempt(policy, question, attempt)
  if (stage !== stages.allowed) return decisionAt(stage)
  const isDoor = asksModeAt(policy, attempt.gadget, attempt.at)
  return decisionAt(isDoor ? tryDoor(policy, attempt) : tryMember(policy, attempt))
}

/** Asks a door before the permissions of the member, unless nobody passes without them, and after. */
function tryDoor(policy: Policy, attempt: Attempt): Stage {
  const { at, gadget } = attempt
  if (!isGuarded(policy, gadget, at) && isFree(spanOfDoor(policy, gadget, at), attempt)) return stages.allowed
  const stage = tryMember(policy, attempt)
  return stage === stages.allowed ? tryNeeds(policy, attempt, spanOfDoor(policy, gadget, at)) : stage
}

function tryMember(policy: Policy, attempt: Attempt): Stage {
  let stage = tryMemberWindow(policy.members, attempt.member, attempt.at)
  if (stage === stages.allowed) stage = trySuspensions(policy, attempt)
  return stage === stages.allowed ? tryAssociations(policy, attempt) : stage
}

function tryAssociations(policy: Policy, attempt: Attempt): Stage {
  const { associations, members } = policy
  let best: Stage = stages.no_association
  for (let link = firstLink(members, attempt.member); link !== 0; link = nextLink(associations, link)) {
    let stage = tryAssociationWindow(associations, link, attempt.at)
    if (stage === stages.allowed) stage = tryNumberedGroup(policy, groupNumber(associations, link), attempt)
    if (stage === stages.allowed) return stage
    if (stage > best) best = stage
  }
  return best
}

/** Most groups have no rule for a given gadget. One word of the filter rules them out. */
function tryNumberedGroup({ groups }: Policy, number: number, attempt: Attempt): Stage {
  if (!isLiving(groups, number)) return stages.group_deleted
  if (!mayConcern(groups, number, attempt)) return stages.no_matching_rule
  return tryGroup(groups.by_number[number] as Group, attempt)
}
