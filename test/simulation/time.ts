interface Entry {
  readonly at: number
  readonly order: number
  readonly run: () => void
}

/** Time that passes only from one happening to the next. */
export class SimulatedTime {
  /** Microseconds since 1970. */
  now: number
  #queue: Entry[] = []
  #order = 0

  constructor(now: number) {
    this.now = now
  }

  later(milliseconds: number, run: () => void): () => void {
    const entry = { at: this.now + Math.round(milliseconds * 1000), order: this.#order++, run }
    this.#queue.push(entry)
    return () => {
      this.#queue = this.#queue.filter(other => other !== entry)
    }
  }

  /** Lets everything happen that falls into the next seconds. */
  async pass(seconds: number): Promise<void> {
    const end = this.now + Math.round(seconds * 1e6)
    await settle()
    for (let next = this.#take(end); next; next = this.#take(end)) {
      this.now = Math.max(this.now, next.at)
      next.run()
      await settle()
    }
    this.now = end
  }

  #take(end: number) {
    let first: Entry | undefined
    for (const entry of this.#queue)
      if (
        entry.at <= end &&
        (!first || entry.at < first.at || (entry.at === first.at && entry.order < first.order))
      )
        first = entry
    if (first) this.#queue = this.#queue.filter(entry => entry !== first)
    return first
  }
}

/** All promises that wait for nothing outside have gone on when this is fulfilled. */
export function settle(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}
