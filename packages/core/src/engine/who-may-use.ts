import { type Attempt, makeAttempt } from './attempt.ts'
import { type SeenDoor, seeDoor } from './doors/see-door.ts'
import { meets } from './doors/stage-e.ts'
import { livingGadget } from './gadgets.ts'
import {
  type Access,
  describeAccess,
  everyMethod,
  type GrantedByGroup,
  type GrantedMethods,
  methodsOfGroups,
} from './granted-methods.ts'
import { groupsInForce, isLivingMember } from './in-force.ts'
import { countDepths } from './inheritance.ts'
import { memberId, numberAt, placeAfter } from './members.ts'
import type { Policy } from './policy.ts'
import type { AccessMethod } from './policy-rows.ts'
import { itemsOf, type ListSteps, type Steps } from './steps.ts'
import { withoutSuspended } from './try-suspensions.ts'

export interface WhoQuery {
  gadget_id: string
  action_id: string
  at: number
  /** When omitted, lists every member whom some method allows. */
  access_method?: AccessMethod
  /** Returns only members whose ids come after this id. */
  after?: string
}

export interface MemberAccess extends Access {
  member_id: string
}

const membersAStep = 256

/** Yields members one by one in id order. To paginate, stop after a page and continue after its last id. */
export function whoMayUse(policy: Policy, query: WhoQuery): Generator<MemberAccess> {
  return itemsOf(whoMayUseSteps(policy, query))
}

/** Evaluates each group once. Each member then costs a walk along its associations. */
export function* whoMayUseSteps(policy: Policy, query: WhoQuery): ListSteps<MemberAccess> {
  if (policy.groups.are_depths_stale) yield* countDepths(policy.groups)
  const gadget = livingGadget(policy, query.gadget_id)
  if (gadget === undefined) return
  const { members } = policy
  const attempt = makeAttempt(gadget, query)
  const known: GrantedByGroup = new Map()
  const door = yield* seeDoor(policy, attempt)
  for (let place = placeAfter(members, query.after ?? ''); place < members.ids.count; place++) {
    if (place % membersAStep === 0) yield
    const member = numberAt(members, place)
    const granted = yield* grantedTo(policy, member, attempt, door, known)
    const access = describeAccess(granted, query.access_method)
    if (access) yield { member_id: memberId(members, member), ...access }
  }
}

function* grantedTo(
  policy: Policy,
  member: number,
  attempt: Attempt,
  door: SeenDoor,
  known: GrantedByGroup,
): Steps<GrantedMethods> {
  if (door.is_free) return isLivingMember(policy, member) ? everyMethod : 0
  const groups = groupsInForce(policy, member, attempt.at)
  if (groups.length === 0 || !meets(door.needs, groups)) return 0
  const granted = yield* methodsOfGroups(groups, attempt, known)
  return withoutSuspended(policy, member, attempt, granted)
}
