import type { ModeSpan } from '../../modes/mode-span.ts'
import { associationStart, groupNumber, isLinkBounded, nextLink } from '../associations.ts'
import type { Attempt } from '../attempt.ts'
import type { Group } from '../groups.ts'
import { firstLink } from '../members.ts'
import { day } from '../microseconds.ts'
import { nextAllowed } from '../next-allowed.ts'
import type { Policy } from '../policy.ts'
import { stages } from '../reasons.ts'
import type { Steps } from '../steps.ts'
import { asksMode, spanOfDoor } from './span-of-door.ts'
import { isFree, needsFor, tryNeeds } from './stage-e.ts'

/** How far ahead the modes of a door are followed, and how far at most if permission begins later. */
const horizon = 366 * day
const farHorizon = 4 * horizon

/**
 * Returns the first instant from the attempt's own on at which permission and the door let it pass; Infinity
 * when there is none. The modes are followed from one to the next; permission is asked again only when the
 * last answer lies behind.
 */
export function* nextPassing(policy: Policy, attempt: Attempt): Steps<number> {
  if (!asksMode(policy, attempt.gadget)) return yield* nextAllowed(policy, attempt)
  let permitted = -Infinity
  for (let at = attempt.at; at <= attempt.at + farHorizon; ) {
    const span = spanOfDoor(policy, attempt.gadget, at)
    if (isFree(span, attempt)) return at
    if (permitted < at) permitted = yield* nextAllowed(policy, moveTo(attempt, at))
    const found = yield* findInSpan(policy, attempt, span, permitted)
    if (found < span.until) return found
    at = span.until
    if (at > attempt.at + horizon) at = Math.max(at, permitted)
    yield
  }
  return Infinity
}

/** Returns the first permitted instant of the span at which the member also has what the door asks for. */
function* findInSpan(policy: Policy, attempt: Attempt, span: ModeSpan, permitted: number): Steps<number> {
  if (needsFor(span, attempt).length === 0) return permitted
  let at = permitted
  while (at < span.until) {
    if (tryNeeds(policy, moveTo(attempt, at), span) === stages.allowed) return at
    const start = nextStart(policy, attempt.member, span, at)
    if (start >= span.until) return Infinity
    at = yield* nextAllowed(policy, moveTo(attempt, start))
  }
  return Infinity
}

/** Returns when the member next joins a group that the door asks for. */
function nextStart(policy: Policy, member: number, { needs }: ModeSpan, after: number): number {
  const { associations, groups, members } = policy
  let next = Infinity
  for (let link = firstLink(members, member); link !== 0; link = nextLink(associations, link)) {
    if (!isLinkBounded(associations, link)) continue
    const { id } = groups.by_number[groupNumber(associations, link)] as Group
    const start = associationStart(associations, link)
    if (start > after && start < next && needs.some(need => need.groups.has(id))) next = start
  }
  return next
}

function moveTo(attempt: Attempt, at: number): Attempt {
  return { ...attempt, at, week_second: -1, inherited: null }
}
