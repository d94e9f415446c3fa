import type { Group, Groups } from './groups.ts'

/**
 * Groups are peeled off from the bottom: one that inherits from nobody has depth 0, one whose groups are all
 * peeled lies above them. What is left over leads into a circle, and inheriting it grants nothing. The service
 * refuses circles; the engine only has to come to an end, on the closed side.
 */
export function countDepths(groups: Groups): void {
  const heirs = new Map<Group, Group[]>()
  for (const group of groups.by_number) {
    group.depth = group.inherits.length === 0 ? 0 : Infinity
    for (const parent of group.inherits)
      heirs
        .set(parent, heirs.get(parent) ?? [])
        .get(parent)
        ?.push(group)
  }
  peel(
    [...heirs.keys()].filter(group => group.depth === 0),
    heirs,
  )
  groups.are_depths_stale = false
}

function peel(peeled: Group[], heirs: ReadonlyMap<Group, readonly Group[]>): void {
  const parentsPeeled = new Map<Group, number>()
  for (const parent of peeled)
    for (const heir of heirs.get(parent) ?? []) {
      const count = (parentsPeeled.get(heir) ?? 0) + 1
      parentsPeeled.set(heir, count)
      // Parents are peeled in the order of their depth, so the last one is the deepest.
      if (count === heir.inherits.length) peeled.push(heirAbove(heir, parent))
    }
}

function heirAbove(heir: Group, parent: Group): Group {
  heir.depth = parent.depth + 1
  return heir
}

/** Whether a group grants anything to those that inherit it. */
export function grants(group: Group): boolean {
  return group.is_living && group.depth !== Infinity
}

/** A group and all it inherits from, at any depth, deepest first. Not recursive: a chain may be longer than the stack. */
export function lineage(group: Group): Group[] {
  const found = new Set([group])
  for (const heir of found) for (const parent of heir.inherits) found.add(parent)
  return [...found].sort((a, b) => a.depth - b.depth)
}
