import { groupNumber, nextLink } from './associations.ts'
import { type Attempt, makeAttempt } from './attempt.ts'
import { tryAssociationWindow, tryMemberWindow } from './decide.ts'
import { type Access, describeAccess, type GrantedMethods, methodsOfGroup } from './granted-methods.ts'
import type { Group } from './groups.ts'
import { countDepths } from './inheritance.ts'
import { firstLink, headOf, memberId, memberStates, numberAt, placeAfter, stateOf } from './members.ts'
import { livingGadget } from './places.ts'
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
  const gadget = livingGadget(policy.places, query.gadget_id)
  if (gadget === undefined) return
  const { members } = policy
  const attempt = makeAttempt(-1, gadget, 0, query)
  const grantedByGroup = new Int32Array(policy.groups.by_number.length).fill(-1)
  for (let place = placeAfter(members, query.after ?? ''); place < members.ids.count; place++) {
    attempt.member = numberAt(members, place)
    const access = describeAccess(methodsOfMember(policy, attempt, grantedByGroup), query.access_method)
    if (access) yield { member_id: memberId(members, attempt.member), ...access }
  }
}

function methodsOfMember(policy: Policy, attempt: Attempt, grantedByGroup: Int32Array): GrantedMethods {
  const { associations, members } = policy
  const { at, member } = attempt
  if (stateOf(headOf(members, member)) !== memberStates.living) return 0
  if (tryMemberWindow(members, member, at) !== stages.allowed) return 0
  let granted = 0
  for (let link = firstLink(members, member); link !== 0; link = nextLink(associations, link))
    if (tryAssociationWindow(associations, link, at) === stages.allowed)
      granted |= methodsOnce(policy, attempt, grantedByGroup, groupNumber(associations, link))
  return granted
}

function methodsOnce(
  policy: Policy,
  attempt: Attempt,
  grantedByGroup: Int32Array,
  number: number,
): GrantedMethods {
  const known = grantedByGroup[number] as number
  if (known >= 0) return known
  const granted = methodsOfGroup(policy.groups.by_number[number] as Group, attempt)
  grantedByGroup[number] = granted
  return granted
}
