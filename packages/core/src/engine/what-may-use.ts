import { makeAttempt } from './attempt.ts'
import { classOf, type Naming, nameAll } from './door-classes.ts'
import { mayBeHeldOpen } from './doors/modes.ts'
import { type SeenDoor, seeDoor } from './doors/see-door.ts'
import { meets } from './doors/stage-e.ts'
import { type Gadget, gadgetsInOrder, livingGadget } from './gadgets.ts'
import {
  type Access,
  describeAccess,
  everyMethod,
  type GrantedMethods,
  methodsOfGroups,
} from './granted-methods.ts'
import type { Group } from './groups.ts'
import { groupsInForce, isLivingMember } from './in-force.ts'
import { countDepths } from './inheritance.ts'
import { findMember } from './members.ts'
import type { Policy } from './policy.ts'
import type { AccessMethod } from './policy-rows.ts'
import { itemsOf, type ListSteps } from './steps.ts'
import { withoutSuspended } from './try-suspensions.ts'

export interface WhatQuery {
  member_id: string
  at: number
  /** When omitted, lists everything that some method allows. */
  access_method?: AccessMethod
  /** Returns only results after this action of this gadget. */
  after?: { gadget_id: string; action_id: string }
}

export interface GadgetAccess extends Access {
  gadget_id: string
  action_id: string
}

/** In gadget id order. The actions of a gadget keep the gadget's own order. */
export function whatMayUse(policy: Policy, query: WhatQuery): Generator<GadgetAccess> {
  return itemsOf(whatMayUseSteps(policy, query))
}

/** Evaluates the member's groups once per class of door, see `classOf`. */
export function* whatMayUseSteps(policy: Policy, query: WhatQuery): ListSteps<GadgetAccess> {
  if (policy.groups.are_depths_stale) yield* countDepths(policy.groups)
  const member = findMember(policy.members, query.member_id)
  if (!isLivingMember(policy, member)) return
  const groups = groupsInForce(policy, member, query.at)
  if (groups.length === 0 && !mayBeHeldOpen(policy)) return
  const view: View = { policy, member, groups, naming: yield* nameAll(groups), known: new Map(), query }
  for (const gadget of gadgetsInOrder(policy.gadgets)) {
    yield
    if (gadget.id >= (query.after?.gadget_id ?? '') && livingGadget(policy, gadget.id))
      yield* accessTo(gadget, view)
  }
}

interface View {
  policy: Policy
  member: number
  groups: readonly Group[]
  naming: Naming
  /** Keyed by class of door. */
  known: Map<string, GrantedMethods>
  query: WhatQuery
}

function* accessTo(gadget: Gadget, view: View): ListSteps<GadgetAccess> {
  const { groups, known, member, naming, policy, query } = view
  const { after, at } = query
  const skipped = after?.gadget_id === gadget.id ? gadget.actions.indexOf(after.action_id) + 1 : 0
  for (const action_id of gadget.actions.slice(skipped)) {
    const attempt = makeAttempt(gadget, { action_id, at })
    const door = classOf(naming, gadget, action_id)
    if (!known.has(door)) known.set(door, yield* methodsOfGroups(groups, attempt, new Map()))
    const seen = yield* seeDoor(policy, attempt)
    const permitted = withoutSuspended(policy, member, attempt, known.get(door) ?? 0)
    const granted = passSeen(seen, groups, permitted)
    const access = describeAccess(granted, query.access_method)
    if (access) yield { gadget_id: gadget.id, action_id, ...access }
  }
}

function passSeen(door: SeenDoor, groups: readonly Group[], granted: GrantedMethods): GrantedMethods {
  if (door.is_free) return everyMethod
  return meets(door.needs, groups) ? granted : 0
}
