import { type Associations, associationEnd, associationStart, isLinkBounded } from './associations.ts'
import { boundedBit, headOf, type Members, memberEnd, memberStart } from './members.ts'
import { type Stage, stages } from './reasons.ts'

/** The comparisons are written so that a NaN time fails. */
export function tryMemberWindow(members: Members, member: number, at: number): Stage {
  if ((headOf(members, member) & boundedBit) === 0) return stages.allowed
  if (!(at >= memberStart(members, member))) return stages.member_not_started
  return at < memberEnd(members, member) ? stages.allowed : stages.member_ended
}

export function tryAssociationWindow(associations: Associations, link: number, at: number): Stage {
  if (!isLinkBounded(associations, link)) return stages.allowed
  if (!(at >= associationStart(associations, link))) return stages.association_not_started
  return at < associationEnd(associations, link) ? stages.allowed : stages.association_ended
}
