const first = 50
const longestPause = 1000

/** Exponential backoff with jitter, so that many processes do not reconnect at the same moment. */
export class Backoff {
  #failures = 0

  /** Milliseconds to wait before the next attempt. */
  next(): number {
    const pause = Math.min(longestPause, first * 2 ** this.#failures++)
    return pause * (0.5 + Math.random() / 2)
  }

  reset(): void {
    this.#failures = 0
  }
}
