import { groupNumber, nextLink } from './associations.ts'
import { type Attempt, createAttempt, openAttempt, type Question } from './attempt.ts'
import { asksMode, spanOfDoorSteps } from './doors/span-of-door.ts'
import { isFree, tryNeeds } from './doors/stage-e.ts'
import type { Group } from './groups.ts'
import { countDepths } from './inheritance.ts'
import { firstLink } from './members.ts'
import type { Policy } from './policy.ts'
import { type Decision, decisionAt, type Stage, stages } from './reasons.ts'
import type { Steps } from './steps.ts'
import { tryGroupSteps } from './try-rules.ts'
import { trySuspensions } from './try-suspensions.ts'
import { tryAssociationWindow, tryMemberWindow } from './try-windows.ts'

/**
 * Like `decide`, in steps, for untrusted policies: a member can be in a thousand groups whose many rules
 * inherit many others.
 */
export function* decideSteps(policy: Policy, question: Question): Steps<Decision> {
  if (policy.groups.are_depths_stale) yield* countDepths(policy.groups)
  const attempt = createAttempt()
  const stage = openAttempt(policy, question, attempt)
  if (stage !== stages.allowed) return decisionAt(stage)
  if (!asksMode(policy, attempt.gadget)) return decisionAt(yield* tryMember(policy, attempt))
  const span = yield* spanOfDoorSteps(policy, attempt.gadget, attempt.at)
  if (isFree(span, attempt)) return decisionAt(stages.allowed)
  const reached = yield* tryMember(policy, attempt)
  return decisionAt(reached === stages.allowed ? tryNeeds(policy, attempt, span) : reached)
}

function* tryMember(policy: Policy, attempt: Attempt): Steps<Stage> {
  const { associations, members } = policy
  let stage = tryMemberWindow(members, attempt.member, attempt.at)
  if (stage === stages.allowed) stage = trySuspensions(policy, attempt)
  if (stage !== stages.allowed) return stage
  let best: Stage = stages.no_association
  for (let link = firstLink(members, attempt.member); link !== 0; link = nextLink(associations, link)) {
    best = Math.max(best, yield* tryAssociation(policy, attempt, link))
    if (best === stages.allowed) return best
    yield
  }
  return best
}

function* tryAssociation({ associations, groups }: Policy, attempt: Attempt, link: number): Steps<Stage> {
  const stage = tryAssociationWindow(associations, link, attempt.at)
  if (stage !== stages.allowed) return stage
  const group = groups.by_number[groupNumber(associations, link)] as Group
  return group.is_living ? yield* tryGroupSteps(group, attempt) : stages.group_deleted
}
