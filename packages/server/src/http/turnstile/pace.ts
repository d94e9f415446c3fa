/** Milliseconds of service that a plain read may take on average before fewer are let in at once. */
const target = 100
const narrowest = 24
const widest = 256
/** Units a second that are counted on until it is known better. */
const supposed = 2500

/**
 * How many may be served at once, and how many may wait, from what was served lately. By Little's law those served at once
 * take as long as their number divided by what is done in a second; so their number falls while answers take longer than
 * they should, and grows while somebody waits and they do not. As many may wait as are served within the longest wait.
 */
export class Pace {
  readonly #longestWait: number
  /** Units served at once. */
  limit = 64
  /** Units served in a second. */
  #rate = supposed
  #served = 0
  #count = 0
  #spent = 0
  #since = performance.now()

  /** So many milliseconds whoever waits last may have to wait. */
  constructor(longestWait = 400) {
    this.#longestWait = longestWait
  }

  get room(): number {
    return Math.max(narrowest, (this.#rate * this.#longestWait) / 1000)
  }

  note(weight: number, milliseconds: number): void {
    this.#served += weight
    this.#count += 1
    this.#spent += milliseconds / Math.sqrt(weight)
  }

  /** Called a few times a second. */
  adapt(isCrowded: boolean, now = performance.now()): void {
    const elapsed = now - this.#since
    const rate = (this.#served * 1000) / elapsed
    if (isCrowded) this.#rate = 0.7 * this.#rate + 0.3 * rate
    else this.#rate = Math.max(rate, this.#rate + 0.05 * Math.max(0, supposed - this.#rate))
    // Nothing at all was answered while some wait: as slow as can be.
    if (this.#count > 0 || isCrowded) this.#adaptLimit(this.#spent / this.#count, isCrowded)
    this.#served = this.#count = this.#spent = 0
    this.#since = now
  }

  #adaptLimit(average: number, isCrowded: boolean): void {
    if (!(average <= target)) this.limit = Math.max(narrowest, this.limit * 0.9)
    else if (isCrowded) this.limit = Math.min(widest, this.limit + 4)
  }
}
