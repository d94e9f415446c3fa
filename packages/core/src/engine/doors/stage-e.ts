import type { ModeSpan } from '../../modes/mode-span.ts'
import { isHeldOpen } from '../../modes/precedence.ts'
import type { Need } from '../../modes/stage-e.ts'
import { groupNumber, nextLink } from '../associations.ts'
import type { Attempt } from '../attempt.ts'
import type { Group } from '../groups.ts'
import { firstLink } from '../members.ts'
import type { Policy } from '../policy.ts'
import { type Stage, stages } from '../reasons.ts'
import { tryAssociationWindow } from '../try-windows.ts'

type Aimed = Pick<Attempt, 'action_id' | 'gadget' | 'has_action'>

/**
 * Whether every known member passes, because the door is held open. That is only true of passing: whoever
 * may not lock the door may not do so now either.
 */
export function isFree({ mode }: ModeSpan, attempt: Aimed): boolean {
  if (!isHeldOpen(mode.effective) || !attempt.has_action) return false
  return attempt.action_id === attempt.gadget.door?.row.release_action_id || isExit(attempt)
}

/** Returns what the door asks for beside permission; nothing for actions that let people out. */
export function needsFor(span: ModeSpan, attempt: Aimed): readonly Need[] {
  return isExit(attempt) ? [] : span.needs
}

/** Stage E, for an attempt that is permitted. */
export function tryNeeds(policy: Policy, attempt: Attempt, span: ModeSpan): Stage {
  for (const need of needsFor(span, attempt))
    if (!isInAny(policy, attempt.member, attempt.at, need.groups)) return stages[need.reason]
  return stages.allowed
}

/** Like `tryNeeds`, for the groups that a member is in at the time. */
export function meets(needs: readonly Need[], groups: readonly Group[]): boolean {
  return needs.every(need => groups.some(group => group.is_living && need.groups.has(group.id)))
}

function isInAny(policy: Policy, member: number, at: number, ids: ReadonlySet<string>): boolean {
  if (ids.size === 0) return false
  const { associations, groups, members } = policy
  for (let link = firstLink(members, member); link !== 0; link = nextLink(associations, link)) {
    const group = groups.by_number[groupNumber(associations, link)] as Group
    if (!group.is_living || !ids.has(group.id)) continue
    if (tryAssociationWindow(associations, link, at) === stages.allowed) return true
  }
  return false
}

export function isExit({ action_id, gadget }: Pick<Aimed, 'action_id' | 'gadget'>): boolean {
  return gadget.door?.exits.includes(action_id) === true
}
