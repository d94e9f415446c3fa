import { RequestError } from '@gatehouse/api'

interface Bound {
  /** How many may wait; whoever comes then is refused at once, and costs nothing. */
  readonly most_waiting: number
  /** Of what there is too much, for the message. */
  readonly what: string
}

/** Lets a few pieces of work go on at once, and others wait for theirs without holding anything. */
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

  #take(): Promise<void> | undefined {
    if (this.#free > 0) return void this.#free--
    if (this.#bound && this.#waiting.length >= this.#bound.most_waiting) throw tooMany(this.#bound)
    return new Promise(resolve => this.#waiting.push(resolve))
  }

  /** A permit passes on without being free in between, so that nobody overtakes those who wait. */
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
