/** Sorted and disjoint, as start, end, start, end …: start inclusive, end exclusive. */
export type Bounds = Int32Array

export const noBounds: Bounds = new Int32Array()

/** Returns how many bounds are at or before the value: an odd number inside, an even one outside. */
export function countUpTo(bounds: Int32Array, value: number): number {
  let low = 0
  let high = bounds.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((bounds[middle] as number) <= value) low = middle + 1
    else high = middle
  }
  return low
}

export function isInside(bounds: Bounds, value: number): boolean {
  return countUpTo(bounds, value) % 2 === 1
}

/** Adds a range that starts no earlier than the last one did. Ranges that touch become one. */
export function appendRange(bounds: number[], start: number, end: number): void {
  const last = bounds.at(-1) ?? -Infinity
  if (start <= last) bounds[bounds.length - 1] = Math.max(last, end)
  else bounds.push(start, end)
}
