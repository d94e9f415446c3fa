/** Average service time of a plain read, in milliseconds, above which the concurrency limit is lowered. */
const target = 100
const narrowest = 24
const widest = 256
/** Assumed units per second until the rate has been measured. */
const supposed = 2500

/**
 * Adapts the concurrency limit and the queue length to the measured throughput. By Little's law, the service
 * time is the concurrency divided by the throughput. The limit therefore falls while responses are slower
 * than the target, and grows while they are fast and requests are waiting. The queue holds as many units as
 * are served within the longest wait.
 */
export class Pace {
  readonly #longestWait: number
  /** The most units in service at once. */
  limit = 64
  /** Measured units per second. */
  #rate = supposed
  #served = 0
  #count = 0
  #spent = 0
  #since = performance.now()

  /** `longestWait`: milliseconds that the last request in the queue may have to wait. */
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

  /** Must be called a few times a second. */
  adapt(isCrowded: boolean, now = performance.now()): void {
    const elapsed = now - this.#since
    const rate = (this.#served * 1000) / elapsed
    if (isCrowded) this.#rate = 0.7 * this.#rate + 0.3 * rate
    else this.#rate = Math.max(rate, this.#rate + 0.05 * Math.max(0, supposed - this.#rate))
    // No responses while requests wait: the average is NaN, which lowers the limit like a slow average.
    if (this.#count > 0 || isCrowded) this.#adaptLimit(this.#spent / this.#count, isCrowded)
    this.#served = this.#count = this.#spent = 0
    this.#since = now
  }

  #adaptLimit(average: number, isCrowded: boolean): void {
    if (!(average <= target)) this.limit = Math.max(narrowest, this.limit * 0.9)
    else if (isCrowded) this.limit = Math.min(widest, this.limit + 4)
  }
}
