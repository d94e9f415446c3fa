/**
 * Questions a second of this thread's own time: the best of several rounds, because a shared machine only ever
 * makes one slower.
 */
export function measure<Item>(
  items: readonly Item[],
  answer: (item: Item) => boolean,
  milliseconds = 800,
): number {
  let best = Infinity
  const end = performance.now() + milliseconds
  do {
    const begin = process.threadCpuUsage()
    for (let index = 0; index < items.length; index++) if (answer(items[index] as Item)) yes++
    const { system, user } = process.threadCpuUsage(begin)
    best = Math.min(best, system + user)
  } while (performance.now() < end)
  return (items.length / best) * 1e6
}

/** Kept so that no answer can be optimized away. */
export let yes = 0
