/** Runs one piece of work after the other. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work)
    this.#last = turn.catch(() => undefined)
    return turn
  }
}

/** Lets a number of them run at a time. */
export class Gate {
  #free: number
  #waiting: (() => void)[] = []

  constructor(most: number) {
    this.#free = most
  }

  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free === 0) await new Promise<void>(resolve => this.#waiting.push(resolve))
    else this.#free--
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }
}
