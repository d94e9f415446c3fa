interface Entry {
  readonly at: number
  readonly order: number
  readonly run: () => void
  isCancelled: boolean
}

/**
 * Time that advances only from one event to the next. Work outside of it, in a real database, takes no
 * simulated time: the next event waits until all of that work has ended, so that nothing depends on its
 * duration.
 */
export class SimulatedTime {
  /** Microseconds since 1970. */
  now: number
  /** Sorted by due time. */
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

  /** Runs everything that is due within the next seconds. */
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

  /** After everything that is due at the same instant. */
  #placeOf(at: number): number {
    let [low, high] = [0, this.#queue.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#queue[middle] as Entry).at <= at) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Resolves when all promises that depend only on each other and on outside work have continued. */
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
