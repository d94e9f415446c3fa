/** Numbers that are the same in every run. */
export interface Dice {
  /** From `low` to below `high`. */
  between(low: number, high: number): number
  /** True so many times of a hundred. */
  percent(chance: number): boolean
}

export function throwDice(seed: number): Dice {
  let state = seed >>> 0
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    between: (low, high) => low + next() * (high - low),
    percent: chance => next() * 100 < chance,
  }
}
