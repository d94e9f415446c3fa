/** Lets things begin evenly, so many a second in all. What was not used is not saved up. */
export class Pace {
  readonly #gap: number
  #last = Number.NEGATIVE_INFINITY

  constructor(perSecond: number) {
    this.#gap = 1000 / perSecond
  }

  /** Takes the next place in line, and answers how many milliseconds it is away. */
  take(now: number): number {
    this.#last = Math.max(this.#last + this.#gap, now)
    return this.#last - now
  }
}

const mostKept = 1000

/** A pace of its own for each organization. */
export class Paces {
  readonly #perSecond: number
  readonly #kept = new Map<string, Pace>()

  constructor(perSecond: number) {
    this.#perSecond = perSecond
  }

  of(organizationId: string): Pace {
    const pace = this.#kept.get(organizationId) ?? new Pace(this.#perSecond)
    // The one used longest ago goes first, and by then has nobody waiting.
    this.#kept.delete(organizationId)
    this.#kept.set(organizationId, pace)
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= mostKept) break
      this.#kept.delete(oldest)
    }
    return pace
  }
}
