import type { Group } from './groups.ts'
import { allMethods, methodBits } from './methods.ts'
import { type AccessMethod, accessMethods } from './policy-rows.ts'
import type { Steps } from './steps.ts'

/**
 * Pairs each method with the first method that all rules of the groups, and of every group they inherit,
 * treat the same way. That is usually one method for all that are used at a door. Online is always its own
 * class, because only online access needs presence.
 */
export function* methodClasses(groups: Iterable<Group>): Steps<[AccessMethod, AccessMethod][]> {
  const sets = new Set<number>()
  const lineage = new Set(groups)
  for (const group of lineage) {
    for (const parent of group.inherits) lineage.add(parent)
    for (const rule of group.rules) sets.add(rule.methods & allMethods)
    yield
  }
  const atDoors = accessMethods.filter(method => method !== 'online')
  return accessMethods.map(method => {
    const alike = method === 'online' ? method : atDoors.find(other => areAlike(sets, method, other))
    return [method, alike ?? method]
  })
}

function areAlike(sets: ReadonlySet<number>, one: AccessMethod, other: AccessMethod): boolean {
  return [...sets].every(
    methods => ((methods & methodBits[one]) === 0) === ((methods & methodBits[other]) === 0),
  )
}
