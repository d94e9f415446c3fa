/** Spaces starts evenly at a fixed rate per second. Unused capacity does not accumulate. */
export class Pace {
  readonly #gap: number
  #last = Number.NEGATIVE_INFINITY

  constructor(perSecond: number) {
    this.#gap = 1000 / perSecond
  }

  /** Takes the next slot and returns how many milliseconds to wait for it. */
  take(now: number): number {
    this.#last = Math.max(this.#last + this.#gap, now)
    return this.#last - now
  }
}

const mostKept = 1000

/** A separate pace for each organization. */
export class Paces {
  readonly #perSecond: number
  readonly #kept = new Map<string, Pace>()

  constructor(perSecond: number) {
    this.#perSecond = perSecond
  }

  of(organizationId: string): Pace {
    const pace = this.#kept.get(organizationId) ?? new Pace(this.#perSecond)
    // Evicts the least recently used pace, for which nothing is waiting by then.
    this.#kept.delete(organizationId)
    this.#kept.set(organizationId, pace)
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= mostKept) break
      this.#kept.delete(oldest)
    }
    return pace
  }
}
