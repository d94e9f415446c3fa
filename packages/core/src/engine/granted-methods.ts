import type { Attempt } from './attempt.ts'
import { canConfirm } from './distance.ts'
import { type Group, type Rule, rulesFor } from './groups.ts'
import { grants, lineage } from './inheritance.ts'
import { listMethods, methodBits } from './methods.ts'
import type { AccessMethod } from './policy-rows.ts'
import type { Steps } from './steps.ts'
import { isOnSchedule, isTarget } from './try-rules.ts'

/**
 * The methods that are granted, as bits: the lower ones for somebody whose location is confirmed, the same
 * once more above them for somebody whose is not. Rules are ORed and inheritance is an AND, on bits as well.
 */
export type GrantedMethods = number

const absentShift = 5
const presentMask = (1 << absentShift) - 1

/** What is open to somebody, present or not, by at least one access method. */
export interface Access {
  access_methods: AccessMethod[]
  /** To use it online, the location has to be confirmed. */
  requires_location: boolean
}

/** Undefined when none of the asked methods (all, when none is named) is granted. */
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

/** What groups grant to one attempt: worked out once for each, however many ways lead to it. */
export type GrantedByGroup = Map<Group, GrantedMethods>

/** What groups grant of the gadget and action at the time of an attempt, whoever makes it. */
export function* methodsOfGroups(
  groups: readonly Group[],
  attempt: Attempt,
  known: GrantedByGroup,
): Steps<GrantedMethods> {
  let granted = 0
  for (const group of groups) {
    if (group.is_living && !known.has(group)) yield* learnMethods(group, attempt, known)
    if (group.is_living) granted |= known.get(group) ?? 0
  }
  return granted
}

function* learnMethods(group: Group, attempt: Attempt, known: GrantedByGroup): Steps<void> {
  for (const ancestor of group.inherits.length === 0 ? [group] : lineage(group, known)) {
    known.set(ancestor, uniteRules(ancestor, attempt, known))
    yield
  }
}

function uniteRules(group: Group, attempt: Attempt, known: GrantedByGroup): GrantedMethods {
  let granted = 0
  for (const rule of rulesFor(group, attempt)) granted |= methodsOfRule(rule, attempt, known)
  return granted
}

function methodsOfRule(rule: Rule, attempt: Attempt, known: GrantedByGroup): GrantedMethods {
  if (!isTarget(rule, attempt) || !isOnSchedule(rule, attempt)) return 0
  const absent = rule.needs_presence ? rule.methods & ~methodBits.online : rule.methods
  // Where the site has no geo nobody can ever be present.
  const present = canConfirm(attempt.site.geo) ? rule.methods : absent
  const own = present | (absent << absentShift)
  if (rule.inherits === null) return own
  return grants(rule.inherits) ? own & (known.get(rule.inherits) ?? 0) : 0
}
