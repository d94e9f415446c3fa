/** Lets things begin evenly, so many a second in all. What was not used is not saved up. */
export class Pace {
  readonly #gap: number
  #last = Number.NEGATIVE_INFINITY

  constructor(perSecond: number) {
    this.#gap = 1000 / perSecond
  }

  /** Takes the next place in line, and answers how many milliseconds it is away. */
  take(now = performance.now()): number {
    this.#last = Math.max(this.#last + this.#gap, now)
    return this.#last - now
  }
}
