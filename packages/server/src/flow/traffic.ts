import type { Timers } from './timers.ts'

/** Milliseconds after a request within which more are to be expected. */
const lately = 100

/** Whether this process is being asked: work that can wait gives way then. */
export class Traffic {
  readonly #timers: Pick<Timers, 'elapsed'>
  #askedAt = Number.NEGATIVE_INFINITY

  constructor(timers: Pick<Timers, 'elapsed'>) {
    this.#timers = timers
  }

  /** A request came. */
  note(): void {
    this.#askedAt = this.#timers.elapsed()
  }

  isBusy(): boolean {
    return this.#timers.elapsed() - this.#askedAt < lately
  }
}
