import { RequestError } from '@gatehouse/api'

interface TurnsOptions {
  /** How many may be at work at once. */
  readonly lanes: number
  /** How many may wait; whoever comes then is refused at once, and costs nothing. */
  readonly most: number
  /** Of what there is too much, for the message. */
  readonly what: string
}

/** Lets a few pieces of work go on at once, and others wait for theirs without holding anything. */
export class Turns {
  readonly #options: TurnsOptions
  readonly #waiting: (() => void)[] = []
  #at_work = 0

  constructor(options: TurnsOptions) {
    this.#options = options
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
    const { lanes, most, what } = this.#options
    if (this.#at_work < lanes) return void this.#at_work++
    if (this.#waiting.length >= most)
      throw new RequestError('unavailable', `too many ${what} at this moment; try again in a second`, {
        args: { reason: 'overloaded' },
        headers: { 'retry-after': '1' },
      })
    return new Promise(resolve => this.#waiting.push(resolve))
  }

  /** The lane passes on without being free in between, so that nobody overtakes those who wait. */
  #give(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#at_work--
  }
}
