/** Refusals sent per second. Further refusals are delayed. */
const rate = 500
const gap = 1000 / rate
/** Burst that is sent without delay, in milliseconds at that rate. */
const burst = 100
/** The longest delay of a refusal, in milliseconds. */
const longestHold = 1000
/** The most refusals delayed at once. Each one occupies memory. */
const room = 4000

/**
 * Limits the rate of refusals. A refusal costs nearly as much as a small response, so clients that retry
 * immediately would leave no time for other work. With the delay, each of their connections is refused at
 * most once a second.
 */
export class Refusals {
  /** When the next refusal outside a burst is due, by `performance.now()`. */
  #due = 0
  #held = 0

  /** Returns undefined if the refusal can be sent now. */
  pause(now = performance.now()): Promise<void> | undefined {
    this.#due = Math.min(Math.max(this.#due, now) + gap, now + burst + longestHold)
    const wait = this.#due - now - burst
    return wait > 0 && this.#held < room ? this.#hold(wait) : undefined
  }

  #hold(milliseconds: number): Promise<void> {
    this.#held += 1
    return new Promise(resolve =>
      setTimeout(() => {
        this.#held -= 1
        resolve()
      }, milliseconds),
    )
  }
}
