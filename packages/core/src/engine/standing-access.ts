import {
  type Associations,
  associationEnd,
  associationStart,
  groupNumber,
  isLinkBounded,
  linksInOrder,
} from './associations.ts'
import { type Attempt, makeAttempt } from './attempt.ts'
import { classOf, nameAll } from './door-classes.ts'
import { gadgetsInOrder, livingGadget } from './gadgets.ts'
import {
  type Access,
  describeAccess,
  type GrantedByGroup,
  type GrantedMethods,
  methodsOfGroups,
  methodsOfRule,
} from './granted-methods.ts'
import { type Group, type Rule, rulesFor } from './groups.ts'
import { isLivingMember } from './in-force.ts'
import { countDepths } from './inheritance.ts'
import {
  boundedBit,
  findMember,
  headOf,
  type Members,
  memberEnd,
  memberId,
  memberStart,
  numberAt,
  placeAfter,
} from './members.ts'
import { fromMicroseconds } from './microseconds.ts'
import type { Policy } from './policy.ts'
import { itemsOf, type ListSteps, type Steps } from './steps.ts'
import type { GadgetAccess, WhatQuery } from './what-may-use.ts'
import type { MemberAccess, WhoQuery } from './who-may-use.ts'

/** A rule by which a member has access, between the dates of the member and of the association. */
export interface StandingRule {
  member_group_id: string
  rule_index: number
  starts_at: string | null
  ends_at: string | null
}

interface Standing {
  rules: StandingRule[]
}

/** Nobody reads more rules of one person at one door. */
export const mostStandingRules = 20

const membersAStep = 256

/**
 * The lists of who and what for all times from `at` on: what the rules grant, whenever their schedules are open
 * and whatever the mode of the door is. Times that two schedules have in common are not computed, so a rule is
 * listed even if it never meets the times of the group that it inherits.
 */
export function whoEverMayUse(policy: Policy, query: WhoQuery): Generator<MemberAccess & Standing> {
  return itemsOf(whoEverMayUseSteps(policy, query))
}

export function whatEverMayUse(policy: Policy, query: WhatQuery): Generator<GadgetAccess & Standing> {
  return itemsOf(whatEverMayUseSteps(policy, query))
}

/** Evaluates each group once. Each member then costs a walk along its associations. */
export function* whoEverMayUseSteps(policy: Policy, query: WhoQuery): ListSteps<MemberAccess & Standing> {
  if (policy.groups.are_depths_stale) yield* countDepths(policy.groups)
  const gadget = livingGadget(policy, query.gadget_id)
  if (gadget === undefined) return
  const { members } = policy
  const attempt = makeAttempt(gadget, query)
  const known: Known = { methods: new Map(), rules: new Map() }
  for (let place = placeAfter(members, query.after ?? ''); place < members.ids.count; place++) {
    if (place % membersAStep === 0) yield
    const member = numberAt(members, place)
    const links = linksFrom(policy, member, query.at)
    if (links.length === 0) continue
    const granted = yield* learn(links, attempt, known)
    const access = describe(policy, { member, links, granted, known }, query)
    if (access) yield { member_id: memberId(members, member), ...access }
  }
}

/** Evaluates the member's groups once per class of door, see `classOf`. */
export function* whatEverMayUseSteps(policy: Policy, query: WhatQuery): ListSteps<GadgetAccess & Standing> {
  if (policy.groups.are_depths_stale) yield* countDepths(policy.groups)
  const member = findMember(policy.members, query.member_id)
  const links = linksFrom(policy, member, query.at)
  if (links.length === 0) return
  const naming = yield* nameAll(links.map(({ group }) => group))
  const answers = new Map<string, (Access & Standing) | undefined>()
  for (const gadget of gadgetsInOrder(policy.gadgets)) {
    yield
    if (gadget.id < (query.after?.gadget_id ?? '') || !livingGadget(policy, gadget.id)) continue
    const skipped =
      query.after?.gadget_id === gadget.id ? gadget.actions.indexOf(query.after.action_id) + 1 : 0
    for (const action_id of gadget.actions.slice(skipped)) {
      const door = classOf(naming, gadget, action_id)
      if (!answers.has(door)) {
        const known: Known = { methods: new Map(), rules: new Map() }
        const granted = yield* learn(links, makeAttempt(gadget, { action_id, at: query.at }), known)
        answers.set(door, describe(policy, { member, links, granted, known }, query))
      }
      const access = answers.get(door)
      if (access) yield { gadget_id: gadget.id, action_id, ...access }
    }
  }
}

/** What is known of the groups for one attempt. */
interface Known {
  methods: GrantedByGroup
  rules: Map<Group, readonly Rule[]>
}

interface Link {
  link: number
  group: Group
}

/** Returns the associations that have not ended, if the member has not. */
export function linksFrom(policy: Policy, member: number, at: number): Link[] {
  const { associations, groups, members } = policy
  if (!isLivingMember(policy, member) || !(at < endOfMember(members, member))) return []
  return linksInOrder(policy, member)
    .filter(link => at < endOfLink(associations, link))
    .map(link => ({ link, group: groups.by_number[groupNumber(associations, link)] as Group }))
    .filter(({ group }) => group.is_living)
}

function* learn(links: readonly Link[], attempt: Attempt, known: Known): Steps<GrantedMethods> {
  let granted = 0
  for (const { group } of links) {
    granted |= yield* methodsOfGroups([group], attempt, known.methods, isEverOpen)
    if (!known.rules.has(group)) known.rules.set(group, grantingRules(group, attempt, known.methods))
  }
  return granted
}

function grantingRules(group: Group, attempt: Attempt, known: GrantedByGroup): Rule[] {
  return rulesFor(group, attempt).filter(rule => methodsOfRule(rule, attempt, known, isEverOpen) !== 0)
}

/** A schedule with special days or exceptions may be open on these alone. */
function isEverOpen({ schedule }: Rule): boolean {
  return schedule === null || schedule.days !== null || schedule.week.length > 0
}

interface Found {
  member: number
  links: readonly Link[]
  granted: GrantedMethods
  known: Known
}

function describe(
  { associations, members }: Policy,
  { granted, known, links, member }: Found,
  { access_method }: Pick<WhoQuery, 'access_method'>,
): (Access & Standing) | undefined {
  const access = describeAccess(granted, access_method)
  if (!access) return undefined
  const rules: StandingRule[] = []
  for (const { group, link } of links)
    for (const { index } of known.rules.get(group) ?? [])
      if (rules.length < mostStandingRules)
        rules.push({
          member_group_id: group.id,
          rule_index: index,
          starts_at: shown(Math.max(startOfMember(members, member), startOfLink(associations, link))),
          ends_at: shown(Math.min(endOfMember(members, member), endOfLink(associations, link))),
        })
  return { ...access, rules }
}

function shown(at: number): string | null {
  return Number.isFinite(at) ? fromMicroseconds(at) : null
}

function startOfMember(members: Members, member: number): number {
  return (headOf(members, member) & boundedBit) === 0 ? -Infinity : memberStart(members, member)
}

function endOfMember(members: Members, member: number): number {
  return (headOf(members, member) & boundedBit) === 0 ? Infinity : memberEnd(members, member)
}

function startOfLink(associations: Associations, link: number): number {
  return isLinkBounded(associations, link) ? associationStart(associations, link) : -Infinity
}

function endOfLink(associations: Associations, link: number): number {
  return isLinkBounded(associations, link) ? associationEnd(associations, link) : Infinity
}
