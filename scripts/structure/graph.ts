export interface Arrow {
  readonly from: string
  readonly to: string
}

/** Returns the strongly connected components, by Tarjan's algorithm. */
export function findCycles(arrows: readonly Arrow[]): string[][] {
  const next = successors(arrows)
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []
  const visit = (node: string): number => {
    let lowest = index.size
    index.set(node, lowest)
    stack.push(node)
    for (const other of next.get(node) ?? []) {
      if (!index.has(other)) lowest = Math.min(lowest, visit(other))
      else if (stack.includes(other)) lowest = Math.min(lowest, index.get(other) as number)
    }
    low.set(node, lowest)
    if (lowest === index.get(node)) {
      const group = stack.splice(stack.indexOf(node))
      if (group.length > 1) cycles.push(group)
    }
    return lowest
  }
  for (const node of next.keys()) if (!index.has(node)) visit(node)
  return cycles
}

/** Returns the number of nodes on the longest path. The graph must be acyclic. */
export function longestChain(arrows: readonly Arrow[]): number {
  const next = successors(arrows)
  const known = new Map<string, number>()
  const measure = (node: string): number => {
    const held = known.get(node)
    if (held !== undefined) return held
    const length = 1 + Math.max(0, ...(next.get(node) ?? []).map(measure))
    known.set(node, length)
    return length
  }
  return Math.max(0, ...[...next.keys()].map(measure))
}

function successors(arrows: readonly Arrow[]): Map<string, string[]> {
  const next = new Map<string, string[]>()
  for (const { from, to } of arrows) next.set(from, [...(next.get(from) ?? []), to])
  return next
}
