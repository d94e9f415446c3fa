import type { Steps } from '@gatehouse-access/core'
import { present } from './present.ts'

/** Items between two pauses. */
const pace = 1000

/** Returns the items in order. Equal ones stay as they were. For lists whose length a customer decides. */
export function* sortSteps<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Steps<Item[]> {
  let runs: Item[][] = []
  for (let start = 0; start < items.length; start += pace) {
    runs.push(items.slice(start, start + pace).sort(compare))
    yield
  }
  while (runs.length > 1) {
    const merged: Item[][] = []
    for (let index = 0; index < runs.length; index += 2)
      merged.push(yield* merge(runs[index] ?? [], runs[index + 1] ?? [], compare))
    runs = merged
  }
  return runs[0] ?? []
}

function* merge<Item>(
  one: readonly Item[],
  other: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Steps<Item[]> {
  const merged: Item[] = []
  let [left, right] = [0, 0]
  const isLeftNext = () =>
    right === other.length ||
    (left < one.length && compare(present(one[left], 'left'), present(other[right], 'right')) <= 0)
  while (merged.length < one.length + other.length) {
    merged.push(present(isLeftNext() ? one[left++] : other[right++], 'an item'))
    if (merged.length % pace === 0) yield
  }
  return merged
}
