import { groupNumber, nextLink } from './associations.ts'
import { type Attempt, makeAttempt } from './attempt.ts'
import { tryAssociationWindow, tryMemberWindow } from './decide.ts'
import { livingGadget } from './gadgets.ts'
import {
  type Access,
  describeAccess,
  type GrantedByGroup,
  type GrantedMethods,
  methodsOfGroup,
} from './granted-methods.ts'
import type { Group } from './groups.ts'
import { countDepths } from './inheritance.ts'
import { firstLink, headOf, memberId, memberStates, numberAt, placeAfter, stateOf } from './members.ts'
import type { Policy } from './policy.ts'
import type { AccessMethod } from './policy-rows.ts'
import { stages } from './reasons.ts'

export interface WhoQuery {
  gadget_id: string
  action_id: string
  at: number
  /** Without it everybody who may by some method. */
  access_method?: AccessMethod
  /** Only members whose ids come after this one. */
  after?: string
}

export interface MemberAccess extends Access {
  member_id: string
}

/**
 * In the order of ids, one by one: who wants a page stops after it, and the next begins after its last id.
 * Each group is looked at once, each member costs a step along its associations.
 */
export function* whoMayUse(policy: Policy, query: WhoQuery): Generator<MemberAccess> {
  if (policy.groups.are_depths_stale) countDepths(policy.groups)
  const gadget = livingGadget(policy, query.gadget_id)
  if (gadget === undefined) return
  const { members } = policy
  const attempt = makeAttempt(gadget, query)
  const known: GrantedByGroup = new Map()
  for (let place = placeAfter(members, query.after ?? ''); place < members.ids.count; place++) {
    attempt.member = numberAt(members, place)
    const access = describeAccess(methodsOfMember(policy, attempt, known), query.access_method)
    if (access) yield { member_id: memberId(members, attempt.member), ...access }
  }
}

function methodsOfMember(policy: Policy, attempt: Attempt, known: GrantedByGroup): GrantedMethods {
  const { associations, groups, members } = policy
  const { at, member } = attempt
  if (stateOf(headOf(members, member)) !== memberStates.living) return 0
  if (tryMemberWindow(members, member, at) !== stages.allowed) return 0
  let granted = 0
  for (let link = firstLink(members, member); link !== 0; link = nextLink(associations, link))
    if (tryAssociationWindow(associations, link, at) === stages.allowed)
      granted |= methodsOfGroup(groups.by_number[groupNumber(associations, link)] as Group, attempt, known)
  return granted
}
