/** A deterministic random generator: the same seed yields the same numbers. */
export class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = (seed * 2654435761) >>> 0
  }

  /** Returns an independent generator, so that the use of one does not affect the other. */
  fork(): Chance {
    return new Chance(Math.floor(this.next() * 4294967296))
  }

  /** At least 0, less than 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let value = this.#state
    value = Math.imul(value ^ (value >>> 15), value | 1)
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61)
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low)
  }

  whole(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1))
  }

  happens(probability: number): boolean {
    return this.next() < probability
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.whole(0, items.length - 1)] as Item
  }
}
