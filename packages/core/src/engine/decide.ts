import {
  type Associations,
  associationEnd,
  associationStart,
  groupNumber,
  isLinkBounded,
  nextLink,
} from './associations.ts'
import { type Attempt, createAttempt, openAttempt, type Question } from './attempt.ts'
import { type Group, isLiving, mayConcern } from './groups.ts'
import { countDepths } from './inheritance.ts'
import { boundedBit, firstLink, headOf, type Members, memberEnd, memberStart } from './members.ts'
import type { Policy } from './policy.ts'
import { type Decision, decisionAt, type Stage, stages } from './reasons.ts'
import { finish } from './steps.ts'
import { tryGroup } from './try-rules.ts'

/** Reused for every decision: a fresh allocation for each would evict the policy from the CPU cache. */
const attempt = createAttempt()

export function decide(policy: Policy, question: Question): Decision {
  if (policy.groups.are_depths_stale) finish(countDepths(policy.groups))
  const stage = openAttempt(policy, question, attempt)
  return decisionAt(stage === stages.allowed ? tryMember(policy, attempt) : stage)
}

/** The comparisons are written so that a NaN time fails. */
export function tryMemberWindow(members: Members, member: number, at: number): Stage {
  if ((headOf(members, member) & boundedBit) === 0) return stages.allowed
  if (!(at >= memberStart(members, member))) return stages.member_not_started
  return at < memberEnd(members, member) ? stages.allowed : stages.member_ended
}

export function tryAssociationWindow(associations: Associations, link: number, at: number): Stage {
  if (!isLinkBounded(associations, link)) return stages.allowed
  if (!(at >= associationStart(associations, link))) return stages.association_not_started
  return at < associationEnd(associations, link) ? stages.allowed : stages.association_ended
}

function tryMember(policy: Policy, attempt: Attempt): Stage {
  const stage = tryMemberWindow(policy.members, attempt.member, attempt.at)
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
