import { associationEnd, associationStart, groupNumber, isLinkBounded, nextLink } from './associations.ts'
import type { Attempt } from './attempt.ts'
import { type Group, mayConcern, type Rule, rulesFor } from './groups.ts'
import { grants, lineage } from './inheritance.ts'
import { boundedBit, firstLink, headOf, memberEnd, memberStart } from './members.ts'
import { day } from './microseconds.ts'
import type { Policy } from './policy.ts'
import type { Steps } from './steps.ts'
import { passesApartFromTime } from './try-rules.ts'
import { type AnyWeek, intersectWeeks, nextInWeek, noWeek, uniteAllWeeks, wholeWeek } from './week.ts'

/** How far ahead to search, from the requested time or from a later start date. */
const horizon = 366 * day

/** How many weeks to hold before they are united: a dense week takes 75 kB. */
const mostHeld = 32

/** When each group is open. Computed once per attempt, however many inheritance paths lead to it. */
type Weeks = Map<Group, AnyWeek>

/**
 * Returns the first instant from the attempt's own on at which it would pass; Infinity when there is none.
 */
export function* nextAllowed(policy: Policy, attempt: Attempt): Steps<number> {
  const { associations, groups, members } = policy
  const weeks: Weeks = new Map()
  let best = Infinity
  for (let link = firstLink(members, attempt.member); link !== 0; link = nextLink(associations, link)) {
    const number = groupNumber(associations, link)
    if (!mayConcern(groups, number, attempt)) continue
    const group = groups.by_number[number] as Group
    const [from, until] = window(policy, attempt, link)
    if (!group.is_living || from >= Math.min(until, best)) continue
    if (!weeks.has(group)) yield* addWeeks(group, attempt, weeks)
    const next = nextInWeek(weeks.get(group) ?? noWeek, attempt.site.zone, from, from + horizon)
    if (next < until) best = Math.min(best, next)
    yield
  }
  return best
}

/** Returns the window from the attempt's time on in which both the member and the association are valid. */
function window({ associations, members }: Policy, attempt: Attempt, link: number): [number, number] {
  let from = attempt.at
  let until = Infinity
  if ((headOf(members, attempt.member) & boundedBit) !== 0) {
    from = Math.max(from, memberStart(members, attempt.member))
    until = Math.min(until, memberEnd(members, attempt.member))
  }
  if (isLinkBounded(associations, link)) {
    from = Math.max(from, associationStart(associations, link))
    until = Math.min(until, associationEnd(associations, link))
  }
  return [from, until]
}

function* addWeeks(group: Group, attempt: Attempt, weeks: Weeks): Steps<void> {
  for (const ancestor of group.inherits.length === 0 ? [group] : lineage(group, weeks)) {
    weeks.set(ancestor, yield* weekOfGroup(ancestor, attempt, weeks))
    yield
  }
}

/**
 * Returns when a group is open. Uniting and intersecting weeks gives this for any inheritance, without
 * looking at dates. Rules that inherit the same group are united before they are intersected with it. The
 * weeks of inherited groups are already known here.
 */
function* weekOfGroup(group: Group, attempt: Attempt, weeks: Weeks): Steps<AnyWeek> {
  const rules = group.is_living
    ? rulesFor(group, attempt).filter(rule => passesApartFromTime(rule, attempt))
    : []
  if (group.inherits.length === 0) return uniteAllWeeks(rules.map(ownWeek))
  let open: AnyWeek[] = []
  for (const [inherited, heirs] of Map.groupBy(rules, rule => rule.inherits)) {
    open.push(intersectWeeks(uniteAllWeeks(heirs.map(ownWeek)), weekOfInherited(inherited, weeks)))
    if (open.length >= mostHeld) open = [uniteAllWeeks(open)]
    yield
  }
  return uniteAllWeeks(open)
}

function ownWeek({ schedule }: Rule): AnyWeek {
  return schedule === null ? wholeWeek : schedule.week
}

function weekOfInherited(group: Group | null, weeks: Weeks): AnyWeek {
  if (group === null) return wholeWeek
  return grants(group) ? (weeks.get(group) ?? noWeek) : noWeek
}
