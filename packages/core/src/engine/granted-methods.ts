import type { Attempt } from './attempt.ts'
import { canConfirm } from './distance.ts'
import { type Group, type Rule, rulesFor } from './groups.ts'
import { grants, lineage } from './inheritance.ts'
import { listMethods, methodBits } from './methods.ts'
import type { AccessMethod } from './policy-rows.ts'
import type { Steps } from './steps.ts'
import { isOnSchedule, isTarget } from './try-rules.ts'

/**
 * The granted methods as bits. The low bits apply when the member's location is confirmed, the high bits when
 * it is not. Rules combine by OR and inheritance by AND, bitwise.
 */
export type GrantedMethods = number

const absentShift = 5
const presentMask = (1 << absentShift) - 1

/** Access by at least one method, with or without a confirmed location. */
export interface Access {
  access_methods: AccessMethod[]
  /** Online access requires a confirmed location. */
  requires_location: boolean
}

/** Returns undefined unless the requested method, or any method if none is requested, is granted. */
export function describeAccess(granted: GrantedMethods, asked: AccessMethod | undefined): Access | undefined {
  const mask = asked === undefined ? presentMask : methodBits[asked]
  const present = granted & mask
  if (present === 0) return undefined
  const absent = granted >>> absentShift
  return {
    access_methods: listMethods(present),
    requires_location: (present & ~absent & methodBits.online) !== 0,
  }
}

/** By any method, with or without a location. */
export const everyMethod: GrantedMethods = presentMask | (presentMask << absentShift)

/** Only online, with or without a location. */
export const onlineMethod: GrantedMethods = methodBits.online | (methodBits.online << absentShift)

/** What each group grants for one attempt. Computed once, however many inheritance paths lead to it. */
export type GrantedByGroup = Map<Group, GrantedMethods>

/** Whether the times of a rule allow an attempt. */
export type IsOpen = (rule: Rule, attempt: Attempt) => boolean

/** Returns what the groups grant for the attempt's gadget, action and time, for any member and method. */
export function* methodsOfGroups(
  groups: readonly Group[],
  attempt: Attempt,
  known: GrantedByGroup,
  isOpen: IsOpen = isOnSchedule,
): Steps<GrantedMethods> {
  let granted = 0
  for (const group of groups) {
    if (group.is_living && !known.has(group)) yield* learnMethods(group, attempt, known, isOpen)
    if (group.is_living) granted |= known.get(group) ?? 0
  }
  return granted
}

function* learnMethods(group: Group, attempt: Attempt, known: GrantedByGroup, isOpen: IsOpen): Steps<void> {
  for (const ancestor of group.inherits.length === 0 ? [group] : lineage(group, known)) {
    known.set(ancestor, uniteRules(ancestor, attempt, known, isOpen))
    yield
  }
}

function uniteRules(group: Group, attempt: Attempt, known: GrantedByGroup, isOpen: IsOpen): GrantedMethods {
  let granted = 0
  for (const rule of rulesFor(group, attempt)) granted |= methodsOfRule(rule, attempt, known, isOpen)
  return granted
}

/** What the rule inherits must be known. */
export function methodsOfRule(
  rule: Rule,
  attempt: Attempt,
  known: GrantedByGroup,
  isOpen: IsOpen,
): GrantedMethods {
  if (!isTarget(rule, attempt) || !isOpen(rule, attempt)) return 0
  const absent = rule.needs_presence ? rule.methods & ~methodBits.online : rule.methods
  // Without geo, the site can never confirm a location.
  const present = canConfirm(attempt.site.geo) ? rule.methods : absent
  const own = present | (absent << absentShift)
  if (rule.inherits === null) return own
  return grants(rule.inherits) ? own & (known.get(rule.inherits) ?? 0) : 0
}
