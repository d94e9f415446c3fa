import { associationEnd, associationStart, groupNumber, isLinkBounded, nextLink } from './associations.ts'
import type { Attempt } from './attempt.ts'
import { createGroupTimes, type GroupTimes } from './group-times.ts'
import { type Group, mayConcern } from './groups.ts'
import { boundedBit, firstLink, headOf, memberEnd, memberStart } from './members.ts'
import { day } from './microseconds.ts'
import { nextOpen } from './next-open.ts'
import type { Policy } from './policy.ts'
import type { Steps } from './steps.ts'
import { resumesAt } from './try-suspensions.ts'

/** How far ahead to search, from the requested time or from a later start date. */
const horizon = 366 * day

/**
 * Returns the first instant from the attempt's own on at which it would pass; Infinity when there is none.
 */
export function* nextAllowed(policy: Policy, attempt: Attempt): Steps<number> {
  return yield* nextGranted(policy, attempt, Math.max(attempt.at, resumesAt(policy, attempt)))
}

/** Returns the first instant from `begin` on at which it would pass if nothing were suspended. */
export function* nextGranted(policy: Policy, attempt: Attempt, begin: number): Steps<number> {
  const { associations, groups, members } = policy
  const search: Search = { known: createGroupTimes(attempt), found: new Map() }
  let best = Infinity
  for (let link = firstLink(members, attempt.member); link !== 0; link = nextLink(associations, link)) {
    const number = groupNumber(associations, link)
    if (!mayConcern(groups, number, attempt)) continue
    const group = groups.by_number[number] as Group
    const [from, until] = window(policy, attempt, begin, link)
    if (!group.is_living || from >= Math.min(until, best)) continue
    const next = yield* findNext(group, search, from)
    if (next < until) best = Math.min(best, next)
    yield
  }
  return best
}

interface Search {
  known: GroupTimes
  /** The last search of each group. Most associations of a member start their search at the same time. */
  found: Map<Group, { from: number; next: number }>
}

/** A group that opens at `next` for a search that began earlier opens then for one that begins in between. */
function* findNext(group: Group, { known, found }: Search, from: number): Steps<number> {
  const last = found.get(group)
  if (last && (from === last.from || (from > last.from && from <= last.next && last.next < Infinity)))
    return last.next
  const next = yield* nextOpen(group, known, from, from + horizon)
  found.set(group, { from, next })
  return next
}

/** Returns the window from `begin` on in which both the member and the association are valid. */
function window(
  { associations, members }: Policy,
  attempt: Attempt,
  begin: number,
  link: number,
): [number, number] {
  let from = begin
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
