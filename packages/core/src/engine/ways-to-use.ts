import { groupNumber, nextLink } from './associations.ts'
import { createAttempt, openAttempt, type Question } from './attempt.ts'
import { type ClosedBy, closedBy } from './closed-by.ts'
import { decideSteps } from './decide-steps.ts'
import { classOf, type Naming, nameAll } from './door-classes.ts'
import { modeClass } from './doors/mode-class.ts'
import { type Explanation, explainSteps } from './explain.ts'
import { type Gadget, gadgetsInOrder, livingGadget } from './gadgets.ts'
import type { Group } from './groups.ts'
import { findMember, firstLink } from './members.ts'
import { methodClasses } from './method-classes.ts'
import { toMicroseconds } from './microseconds.ts'
import { nextGranted } from './next-allowed.ts'
import type { Policy } from './policy.ts'
import type { AccessMethod } from './policy-rows.ts'
import { type Reason, stages } from './reasons.ts'
import { itemsOf, type ListSteps, type Steps } from './steps.ts'
import { suspensionClass } from './try-suspensions.ts'

/** A method by which a member may use an action, now or later. */
export interface Way {
  access_method: AccessMethod
  /** Whether access is allowed now. Where a location is required, this assumes a location at the site. */
  is_allowed: boolean
  requires_location: boolean
  reason: Reason | null
  next_allowed_at: string | null
  /** Set where an exception or a special day, and not the weekday, is why access is not allowed now. */
  closed_by: ClosedBy | null
}

export interface WaysToUse {
  gadget_id: string
  action_id: string
  ways: Way[]
}

export interface WaysQuery {
  member_id: string
  at: number
  /** Restricts the result to these gadgets. */
  gadget_ids?: readonly string[]
}

/** Returns how and when a member may use each action, now or within the next 366 days, by gadget id. */
export function waysToUse(policy: Policy, query: WaysQuery): Generator<WaysToUse> {
  return itemsOf(waysToUseSteps(policy, query))
}

/** Explains each class of door once. Every further door of a class costs only a lookup. */
export function* waysToUseSteps(
  policy: Policy,
  { member_id, at, gadget_ids }: WaysQuery,
): ListSteps<WaysToUse> {
  const groups = groupsOf(policy, member_id)
  if (groups.length === 0) return
  const naming = yield* nameAll(groups)
  const methods = yield* methodClasses(groups)
  const known = new Map<string, Way[]>()
  for (const gadget_id of gadget_ids ?? gadgetsInOrder(policy.gadgets).map(({ id }) => id)) {
    yield
    const gadget = livingGadget(policy, gadget_id)
    const mode = gadget ? yield* modeClass(policy, gadget) : ''
    for (const action_id of gadget?.actions ?? []) {
      const suspension = suspensionClass(policy, gadget as Gadget, action_id)
      const door = wayClass(naming, gadget as Gadget, action_id, `${mode}${suspension}`)
      let ways = known.get(door)
      if (ways === undefined) {
        const asked = { member_id, gadget_id, action_id, at }
        ways = yield* findWays(policy, asked, gadget?.site.geo?.location ?? null, methods)
        known.set(door, ways)
      }
      if (ways.length > 0) yield { gadget_id, action_id, ways }
    }
  }
}

/** Doors that are alike for permissions, suspensions and the sources of their modes are alike for the member. */
function wayClass(naming: Naming, gadget: Gadget, action_id: string, mode: string): string {
  const own = classOf(naming, gadget, action_id)
  return mode === '' ? own : `${own} ${roleOf(gadget, action_id)} ${mode}`
}

/** Modes let pass and let out, and have nothing to do with other actions. */
function roleOf({ door }: Gadget, action_id: string): string {
  const releases = door?.row.release_action_id === action_id
  return `${releases ? 'in' : ''}${door?.exits.includes(action_id) ? 'out' : ''}`
}

/** Returns the groups of all associations, including those that start later. */
function groupsOf({ associations, groups, members }: Policy, member_id: string): Group[] {
  const member = findMember(members, member_id)
  const found = new Set<Group>()
  if (member < 0) return []
  for (let link = firstLink(members, member); link !== 0; link = nextLink(associations, link))
    found.add(groups.by_number[groupNumber(associations, link)] as Group)
  return [...found]
}

type Asked = { member_id: string; gadget_id: string; action_id: string; at: number }

/** Methods that no rule distinguishes share one explanation. */
function* findWays(
  policy: Policy,
  asked: Asked,
  here: { lat: number; lng: number } | null,
  methods: readonly (readonly [AccessMethod, AccessMethod])[],
): Steps<Way[]> {
  const ways = new Map<AccessMethod, Way | null>()
  for (const [access_method, alike] of methods) {
    const same = ways.get(alike)
    const way = same === undefined ? yield* findWay(policy, { ...asked, access_method }, here) : same
    ways.set(access_method, way && { ...way, access_method })
  }
  return [...ways.values()].filter(way => way !== null)
}

type AskedWay = Asked & { access_method: AccessMethod }

function* findWay(
  policy: Policy,
  asked: AskedWay,
  here: { lat: number; lng: number } | null,
): Steps<Way | null> {
  const question = { ...asked, location: here }
  const near = yield* explainSteps(policy, question)
  if (!(yield* isEverPermitted(policy, question, near))) return null
  return {
    access_method: asked.access_method,
    is_allowed: near.allowed,
    requires_location: yield* needsLocation(policy, asked, near.next_allowed_at),
    reason: near.reason,
    next_allowed_at: near.next_allowed_at,
    closed_by: closedBy(policy, asked, near),
  }
}

/**
 * Whether a door is the member's own. The mode does not make it so: a door that is held open is no way for
 * somebody who has no permission there, and one that is locked down still is for somebody who has. So it is
 * for somebody who is suspended.
 */
function* isEverPermitted(policy: Policy, question: Question, near: Explanation): Steps<boolean> {
  if (near.next_allowed_at !== null && near.door === undefined) return true
  const attempt = createAttempt()
  if (openAttempt(policy, question, attempt) !== stages.allowed) return false
  return (yield* nextGranted(policy, attempt, attempt.at)) < Infinity
}

/** Whether access fails without a location at the time when it first passes with one. */
function* needsLocation(policy: Policy, asked: AskedWay, next: string | null): Steps<boolean> {
  if (asked.access_method !== 'online' || next === null) return false
  const { allowed } = yield* decideSteps(policy, { ...asked, at: toMicroseconds(next), location: null })
  return !allowed
}
