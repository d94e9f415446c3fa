import { groupNumber, nextLink } from './associations.ts'
import type { Group } from './groups.ts'
import { firstLink, headOf, memberStates, stateOf } from './members.ts'
import type { Policy } from './policy.ts'
import { stages } from './reasons.ts'
import { tryAssociationWindow, tryMemberWindow } from './try-windows.ts'

const none: readonly Group[] = []

/** Returns the groups that the member is in at a time; none when the member itself is not valid then. */
export function groupsInForce(
  { associations, groups, members }: Policy,
  member: number,
  at: number,
): readonly Group[] {
  if (!isLivingMember({ members }, member)) return none
  if (tryMemberWindow(members, member, at) !== stages.allowed) return none
  const found: Group[] = []
  for (let link = firstLink(members, member); link !== 0; link = nextLink(associations, link))
    if (tryAssociationWindow(associations, link, at) === stages.allowed)
      found.push(groups.by_number[groupNumber(associations, link)] as Group)
  return found
}

export function isLivingMember({ members }: Pick<Policy, 'members'>, member: number): boolean {
  return member >= 0 && stateOf(headOf(members, member)) === memberStates.living
}
