import type { Group } from './groups.ts'
import { allMethods, methodBits } from './methods.ts'
import { type AccessMethod, accessMethods } from './policy-rows.ts'
import type { Steps } from './steps.ts'

/**
 * Each method with the first one that all rules of some groups, and of all they inherit, treat alike; that is most often the
 * same for all that are used at a door. Online is a class of its own, since presence is asked of it alone.
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
