import type { Timers } from './timers.ts'

/** Milliseconds after a request during which more requests are expected. */
const lately = 100
/** So many requests within so many milliseconds are a stream of them: 20 a second. */
const many = 4
const stretch = 200

/** Tracks whether this process is receiving requests, so that deferrable work can yield to them. */
export class Traffic {
  readonly #timers: Pick<Timers, 'elapsed'>
  /** When the last ones arrived, in a ring. */
  readonly #arrivals = new Float64Array(many).fill(Number.NEGATIVE_INFINITY)
  #last = 0

  constructor(timers: Pick<Timers, 'elapsed'>) {
    this.#timers = timers
  }

  /** Records a request. */
  note(): void {
    this.#last = (this.#last + 1) % many
    this.#arrivals[this.#last] = this.#timers.elapsed()
  }

  isBusy(): boolean {
    return this.#since(this.#last) < lately
  }

  /** Whether one request follows another. Work that runs between requests need not yield to a single one as well. */
  isSteady(): boolean {
    return this.#since((this.#last + 1) % many) < stretch
  }

  #since(place: number): number {
    return this.#timers.elapsed() - (this.#arrivals[place] ?? Number.NEGATIVE_INFINITY)
  }
}
