import { RequestError } from '@gatehouse-access/api'

interface Bound {
  /** How many callers may wait. Further callers are refused at once, at no cost. */
  readonly most_waiting: number
  /** The kind of work, for the error message. */
  readonly what: string
}

/** Limits concurrency. Work that waits for a permit holds no other resource. */
export class Semaphore {
  readonly #bound: Bound | undefined
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor(permits: number, bound?: Bound) {
    this.#free = permits
    this.#bound = bound
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#take()
    try {
      return await work()
    } finally {
      this.#give()
    }
  }

  /** Gives the permit back and waits for another one, behind everybody who waits now. */
  async letOthers(): Promise<void> {
    this.#give()
    await this.#take()
  }

  #take(): Promise<void> | undefined {
    if (this.#free > 0) return void this.#free--
    if (this.#bound && this.#waiting.length >= this.#bound.most_waiting) throw tooMany(this.#bound)
    return new Promise(resolve => this.#waiting.push(resolve))
  }

  /** Hands the permit directly to the next waiter, so that no newcomer overtakes it. */
  #give(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free++
  }
}

function tooMany({ what }: Bound): RequestError {
  return new RequestError('unavailable', `too many ${what} at this moment; try again in a second`, {
    args: { reason: 'overloaded' },
    headers: { 'retry-after': '1' },
  })
}
