import type { Timers } from './timers.ts'

/** Milliseconds after a request during which more requests are expected. */
const lately = 100

/** Tracks whether this process is receiving requests, so that deferrable work can yield to them. */
export class Traffic {
  readonly #timers: Pick<Timers, 'elapsed'>
  #askedAt = Number.NEGATIVE_INFINITY

  constructor(timers: Pick<Timers, 'elapsed'>) {
    this.#timers = timers
  }

  /** Records a request. */
  note(): void {
    this.#askedAt = this.#timers.elapsed()
  }

  isBusy(): boolean {
    return this.#timers.elapsed() - this.#askedAt < lately
  }
}
