import type { Group, Groups } from './groups.ts'
import type { Steps } from './steps.ts'

/**
 * Computes the depths by topological sort. A group that inherits nothing has depth 0; any other group is one
 * deeper than its deepest parent. The groups that remain lead into a cycle, and inheriting from them grants
 * nothing. The service rejects cycles; the engine only has to terminate and deny.
 */
export function* countDepths(groups: Groups): Steps<void> {
  const heirs = new Map<Group, Group[]>()
  for (const group of groups.by_number) {
    group.depth = group.inherits.length === 0 ? 0 : Infinity
    for (const parent of group.inherits) addHeir(heirs, parent, group)
    if (group.inherits.length > 0) yield
  }
  const bottom = [...heirs.keys()].filter(group => group.depth === 0)
  yield* peel(bottom, heirs)
  groups.are_depths_stale = false
}

export function addHeir(heirs: Map<Group, Group[]>, parent: Group, heir: Group): void {
  const known = heirs.get(parent)
  if (known === undefined) heirs.set(parent, [heir])
  else known.push(heir)
}

function* peel(peeled: Group[], heirs: ReadonlyMap<Group, readonly Group[]>): Steps<void> {
  const parentsPeeled = new Map<Group, number>()
  for (const parent of peeled) {
    yield
    for (const heir of heirs.get(parent) ?? []) {
      const count = (parentsPeeled.get(heir) ?? 0) + 1
      parentsPeeled.set(heir, count)
      // Parents are processed in ascending depth, so the last one is the deepest.
      if (count === heir.inherits.length) peeled.push(heirAbove(heir, parent))
    }
  }
}

function heirAbove(heir: Group, parent: Group): Group {
  heir.depth = parent.depth + 1
  return heir
}

/** Whether a group grants anything to the groups that inherit it. */
export function grants(group: Group): boolean {
  return group.is_living && group.depth !== Infinity
}

/**
 * Returns a group and all its ancestors, ancestors first. Skips known groups, whose ancestors are known as
 * well. Not recursive: a chain can be longer than the call stack.
 */
export function lineage(group: Group, known?: { has(group: Group): boolean }): Group[] {
  const found = new Set([group])
  for (const heir of found)
    for (const parent of heir.inherits) if (known?.has(parent) !== true) found.add(parent)
  return [...found].sort((a, b) => a.depth - b.depth)
}
