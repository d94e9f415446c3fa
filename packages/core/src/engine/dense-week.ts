/**
 * A week as one bit per second, from Monday 00:00. It bounds the cost of very many ranges: every union or
 * intersection takes one pass over 75 kB.
 */
export type DenseWeek = Uint32Array

const weekSeconds = 7 * 86_400
const words = weekSeconds / 32
const allBits = 2 ** 32 - 1

export function createDense(): DenseWeek {
  return new Uint32Array(words)
}

/** Adds the ranges of a list of bounds: start, end, start, end … */
export function addBounds(dense: DenseWeek, bounds: Int32Array): void {
  for (let index = 0; index < bounds.length; index += 2)
    addRange(dense, bounds[index] as number, bounds[index + 1] as number)
}

export function addDense(dense: DenseWeek, other: DenseWeek): void {
  for (let index = 0; index < words; index++) (dense[index] as number) |= other[index] as number
}

export function keepDense(dense: DenseWeek, other: DenseWeek): void {
  for (let index = 0; index < words; index++) (dense[index] as number) &= other[index] as number
}

/** Returns the first set second at or after `from`, wrapping into the next week; -1 when empty. */
export function nextSecond(dense: DenseWeek, from: number): number {
  const found = findSecond(dense, from, weekSeconds)
  if (found >= 0) return found
  const wrapped = findSecond(dense, 0, from)
  return wrapped < 0 ? -1 : wrapped + weekSeconds
}

function findSecond(dense: DenseWeek, from: number, until: number): number {
  const first = from >>> 5
  for (let word = first; word * 32 < until; word++) {
    const value = (dense[word] as number) & (word === first ? allBits << (from & 31) : allBits)
    if (value !== 0) return word * 32 + 31 - Math.clz32(value & -value)
  }
  return -1
}

function addRange(dense: DenseWeek, start: number, end: number): void {
  const first = start >>> 5
  const last = (end - 1) >>> 5
  const head = allBits << (start & 31)
  const tail = allBits >>> (31 - ((end - 1) & 31))
  if (first === last) (dense[first] as number) |= head & tail
  else {
    ;(dense[first] as number) |= head
    dense.fill(allBits, first + 1, last)
    ;(dense[last] as number) |= tail
  }
}
