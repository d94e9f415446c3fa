import { groupNumber, nextLink } from './associations.ts'
import { makeAttempt } from './attempt.ts'
import { tryAssociationWindow, tryMemberWindow } from './decide.ts'
import { type Gadget, gadgetsInOrder, livingGadget } from './gadgets.ts'
import { type Access, describeAccess, type GrantedByGroup, methodsOfGroup } from './granted-methods.ts'
import type { Group } from './groups.ts'
import { countDepths } from './inheritance.ts'
import { findMember, firstLink, headOf, memberStates, stateOf } from './members.ts'
import type { Policy } from './policy.ts'
import type { AccessMethod } from './policy-rows.ts'
import { stages } from './reasons.ts'

export interface WhatQuery {
  member_id: string
  at: number
  /** Without it everything that may be used by some method. */
  access_method?: AccessMethod
  /** Only what comes after this action of this gadget. */
  after?: { gadget_id: string; action_id: string }
}

export interface GadgetAccess extends Access {
  gadget_id: string
  action_id: string
}

/** In the order of gadget ids, the actions of one gadget in its own order. */
export function* whatMayUse(policy: Policy, query: WhatQuery): Generator<GadgetAccess> {
  if (policy.groups.are_depths_stale) countDepths(policy.groups)
  const groups = groupsInForce(policy, query)
  if (groups.length === 0) return
  for (const gadget of gadgetsInOrder(policy.gadgets))
    if (gadget.id >= (query.after?.gadget_id ?? '') && livingGadget(policy, gadget.id))
      yield* accessTo(gadget, groups, query)
}

function groupsInForce({ associations, groups, members }: Policy, { member_id, at }: WhatQuery): Group[] {
  const member = findMember(members, member_id)
  if (member < 0 || stateOf(headOf(members, member)) !== memberStates.living) return []
  if (tryMemberWindow(members, member, at) !== stages.allowed) return []
  const found: Group[] = []
  for (let link = firstLink(members, member); link !== 0; link = nextLink(associations, link))
    if (tryAssociationWindow(associations, link, at) === stages.allowed)
      found.push(groups.by_number[groupNumber(associations, link)] as Group)
  return found
}

function* accessTo(gadget: Gadget, groups: Group[], query: WhatQuery): Generator<GadgetAccess> {
  const { after } = query
  const skipped = after?.gadget_id === gadget.id ? gadget.actions.indexOf(after.action_id) + 1 : 0
  for (const action_id of gadget.actions.slice(skipped)) {
    const attempt = makeAttempt(gadget, { action_id, at: query.at })
    const known: GrantedByGroup = new Map()
    const granted = groups.reduce((bits, group) => bits | methodsOfGroup(group, attempt, known), 0)
    const access = describeAccess(granted, query.access_method)
    if (access) yield { gadget_id: gadget.id, action_id, ...access }
  }
}
