/** Refusals that are answered in a second; more are held back. */
const rate = 500
const gap = 1000 / rate
/** Milliseconds' worth of them that may come at once before any is held back. */
const burst = 100
/** Milliseconds that a refusal is held back at the most. */
const longestHold = 1000
/** The most that are held back, for what each keeps in memory. */
const room = 4000

/**
 * Answers refusals at a pace. One costs nearly as much as a small answer, so that those who repeat at once what was refused
 * would leave no time for anything else; held back, each of their connections is refused once in a second at the most.
 */
export class Refusals {
  /** When the next is due that is not part of a burst, in milliseconds of the process. */
  #due = 0
  #held = 0

  /** Undefined: to be answered now. */
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
