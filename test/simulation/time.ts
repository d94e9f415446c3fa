interface Entry {
  readonly at: number
  readonly order: number
  readonly run: () => void
  isCancelled: boolean
}

/**
 * Time that passes only from one happening to the next. What happens outside of it, in a real database, takes no time: the next
 * happening waits until all of it has ended, so that nothing depends on how long it took.
 */
export class SimulatedTime {
  /** Microseconds since 1970. */
  now: number
  /** In the order in which they are due. */
  readonly #queue: Entry[] = []
  #order = 0
  #outside = 0
  #onEnd: () => void = () => {}

  constructor(now: number) {
    this.now = now
  }

  later(milliseconds: number, run: () => void): () => void {
    const at = this.now + Math.round(milliseconds * 1000)
    const entry = { at, order: this.#order++, run, isCancelled: false }
    this.#queue.splice(this.#placeOf(at), 0, entry)
    return () => {
      entry.isCancelled = true
    }
  }

  async outside<Value>(work: () => Promise<Value>): Promise<Value> {
    this.#outside++
    try {
      return await work()
    } finally {
      this.#outside--
      this.#onEnd()
    }
  }

  /** Lets everything happen that falls into the next seconds. */
  async pass(seconds: number): Promise<void> {
    const end = this.now + Math.round(seconds * 1e6)
    await this.#settle()
    for (let next = this.#queue[0]; next && next.at <= end; next = this.#queue[0]) {
      this.#queue.shift()
      if (next.isCancelled) continue
      this.now = Math.max(this.now, next.at)
      next.run()
      await this.#settle()
    }
    this.now = end
  }

  /** Behind everything that is due at the same instant. */
  #placeOf(at: number): number {
    let [low, high] = [0, this.#queue.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#queue[middle] as Entry).at <= at) low = middle + 1
      else high = middle
    }
    return low
  }

  /** All promises that wait for nothing but each other and the outside have gone on when this is fulfilled. */
  async #settle(): Promise<void> {
    for (;;) {
      await new Promise(resolve => setImmediate(resolve))
      if (this.#outside === 0) return
      await new Promise<void>(resolve => {
        this.#onEnd = resolve
      })
    }
  }
}
