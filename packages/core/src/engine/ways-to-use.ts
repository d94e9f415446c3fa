import { groupNumber, nextLink } from './associations.ts'
import { makeAttempt } from './attempt.ts'
import { explain } from './explain.ts'
import { type Gadget, gadgetsInOrder, livingGadget } from './gadgets.ts'
import { type Group, rulesFor } from './groups.ts'
import { findMember, firstLink } from './members.ts'
import { toMicroseconds } from './microseconds.ts'
import type { Policy } from './policy.ts'
import { type AccessMethod, accessMethods } from './policy-rows.ts'
import type { Reason } from './reasons.ts'

/** One method by which a member may use an action, now or later. */
export interface Way {
  access_method: AccessMethod
  /** Whether it passes now; where a location is required, from near the site. */
  is_allowed: boolean
  requires_location: boolean
  reason: Reason | null
  next_allowed_at: string | null
}

export interface WaysToUse {
  gadget_id: string
  action_id: string
  ways: Way[]
}

/** Every action that a member may use now or within the next 366 days, with how and when; by gadget id. */
export function* waysToUse(
  policy: Policy,
  { member_id, at }: { member_id: string; at: number },
): Generator<WaysToUse> {
  const groups = groupsOf(policy, member_id)
  for (const { id: gadget_id } of gadgetsInOrder(policy.gadgets)) {
    const gadget = livingGadget(policy, gadget_id)
    // Most gadgets of a large organization are no business of the member's, and explaining costs.
    if (!gadget || !isConcerned(groups, gadget, at)) continue
    for (const action_id of gadget.actions) {
      const asked = { member_id, gadget_id, action_id, at }
      const ways = findWays(policy, asked, gadget.site.geo?.location ?? null)
      if (ways.length > 0) yield { gadget_id, action_id, ways }
    }
  }
}

/** Of all its associations, also of those that begin later. */
function isConcerned(groups: readonly Group[], gadget: Gadget, at: number): boolean {
  const aim = makeAttempt(gadget, { action_id: '', at })
  return groups.some(group => rulesFor(group, aim).length > 0)
}

function groupsOf({ associations, groups, members }: Policy, member_id: string): Group[] {
  const member = findMember(members, member_id)
  const found = new Set<Group>()
  if (member < 0) return []
  for (let link = firstLink(members, member); link !== 0; link = nextLink(associations, link))
    found.add(groups.by_number[groupNumber(associations, link)] as Group)
  return [...found]
}

type Asked = { member_id: string; gadget_id: string; action_id: string; at: number }

function findWays(policy: Policy, asked: Asked, here: { lat: number; lng: number } | null): Way[] {
  const ways: Way[] = []
  for (const access_method of accessMethods) {
    const near = explain(policy, { ...asked, access_method, location: here })
    if (near.next_allowed_at === null) continue
    ways.push({
      access_method,
      is_allowed: near.allowed,
      requires_location: needsLocation(policy, { ...asked, access_method }, near.next_allowed_at),
      reason: near.reason,
      next_allowed_at: near.next_allowed_at,
    })
  }
  return ways
}

/** What passes from near the site and not from nowhere, at the time it first passes. */
function needsLocation(
  policy: Policy,
  asked: Asked & { access_method: AccessMethod },
  next: string,
): boolean {
  if (asked.access_method !== 'online') return false
  return !explain(policy, { ...asked, at: toMicroseconds(next), location: null }).allowed
}
