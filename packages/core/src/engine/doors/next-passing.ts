import type { ModeSpan } from '../../modes/mode-span.ts'
import { spansBetween } from '../../modes/mode-timeline.ts'
import { associationStart, groupNumber, isLinkBounded, nextLink } from '../associations.ts'
import type { Attempt } from '../attempt.ts'
import type { Group } from '../groups.ts'
import { firstLink } from '../members.ts'
import { day } from '../microseconds.ts'
import { nextAllowed } from '../next-allowed.ts'
import type { Policy } from '../policy.ts'
import { stages } from '../reasons.ts'
import type { ListSteps, Steps } from '../steps.ts'
import { asksMode, sourcesOfDoorSteps } from './span-of-door.ts'
import { isFree, needsFor, tryNeeds } from './stage-e.ts'

/** How far ahead the modes of a door are followed, from the requested time or from the first permitted one. */
const horizon = 366 * day

/**
 * Returns the first instant from the attempt's own on at which permission and the door let it pass; Infinity
 * when there is none.
 */
export function* nextPassing(policy: Policy, attempt: Attempt): Steps<number> {
  const { at, gadget } = attempt
  const permitted = yield* nextAllowed(policy, attempt)
  if (gadget.door === null || !asksMode(policy, gadget)) return permitted
  const sources = yield* sourcesOfDoorSteps(policy, gadget, gadget.door)
  const soon = yield* passBetween(policy, attempt, spansBetween(sources, at, at + horizon))
  if (soon < Infinity || permitted === Infinity || permitted <= at + horizon) return soon
  return yield* passBetween(policy, attempt, spansBetween(sources, permitted, permitted + horizon))
}

/** Follows the modes of a door. Permission is asked again only when the last answer lies behind. */
function* passBetween(policy: Policy, attempt: Attempt, spans: ListSteps<ModeSpan>): Steps<number> {
  let permitted = -Infinity
  for (const span of spans) {
    if (span === undefined) {
      yield
      continue
    }
    if (isFree(span, attempt)) return span.from
    if (permitted < span.from) permitted = yield* nextAllowed(policy, moveTo(attempt, span.from))
    const found = yield* findInSpan(policy, attempt, span, permitted)
    if (found < span.until) return found
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
