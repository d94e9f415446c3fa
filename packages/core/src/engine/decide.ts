import { type Associations, groupNumber, isLinkBounded, nextLink } from './associations.ts'
import { type Attempt, openAttempt, type Question } from './attempt.ts'
import type { Group } from './groups.ts'
import { countDepths } from './inheritance.ts'
import { boundedBit, firstLink, type Members } from './members.ts'
import type { Policy } from './policy.ts'
import { type Decision, decisionAt, type Stage, stages } from './reasons.ts'
import { tryGroup } from './try-rules.ts'
import { endOf, startOf } from './windows.ts'

export function decide(policy: Policy, question: Question): Decision {
  if (policy.groups.are_depths_stale) countDepths(policy.groups)
  const attempt = openAttempt(policy, question)
  return decisionAt(typeof attempt === 'number' ? attempt : tryMember(policy, attempt))
}

/** Written so that an instant that is no number fails. */
export function tryMemberWindow({ heads, windows }: Members, member: number, at: number): Stage {
  if (((heads[member] as number) & boundedBit) === 0) return stages.allowed
  if (!(at >= startOf(windows, member))) return stages.member_not_started
  return at < endOf(windows, member) ? stages.allowed : stages.member_ended
}

export function tryAssociationWindow(associations: Associations, link: number, at: number): Stage {
  if (!isLinkBounded(associations, link)) return stages.allowed
  if (!(at >= startOf(associations.windows, link - 1))) return stages.association_not_started
  return at < endOf(associations.windows, link - 1) ? stages.allowed : stages.association_ended
}

function tryMember(policy: Policy, attempt: Attempt): Stage {
  const stage = tryMemberWindow(policy.members, attempt.member, attempt.at)
  return stage === stages.allowed ? tryAssociations(policy, attempt) : stage
}

function tryAssociations({ associations, groups, members }: Policy, attempt: Attempt): Stage {
  let best: Stage = stages.no_association
  for (let link = firstLink(members, attempt.member); link !== 0; link = nextLink(associations, link)) {
    let stage = tryAssociationWindow(associations, link, attempt.at)
    if (stage === stages.allowed) {
      const group = groups.by_number[groupNumber(associations, link)] as Group
      stage = group.is_living ? tryGroup(group, attempt) : stages.group_deleted
    }
    if (stage === stages.allowed) return stage
    if (stage > best) best = stage
  }
  return best
}
