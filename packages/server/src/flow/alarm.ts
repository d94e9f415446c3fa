/** The next ring of an alarm. */
export interface Ring {
  /** Calls `run` when it rings, or at once if it has rung. Returns a function that cancels this. */
  on(run: () => void): () => void
}

/** Wakes all waiters in this process. */
export class Alarm {
  #next = new NextRing()

  /** Returns the same ring until it rings. Take it before looking for work, so that no ring is missed. */
  next(): Ring {
    return this.#next
  }

  rung(): Promise<void> {
    return new Promise(resolve => this.#next.on(resolve))
  }

  ring(): void {
    const rung = this.#next
    this.#next = new NextRing()
    rung.ring()
  }
}

/** Not a promise: a waiter that gives up could not remove its callback, and callbacks would pile up. */
class NextRing implements Ring {
  readonly #waiting = new Set<() => void>()
  #hasRung = false

  on(run: () => void): () => void {
    if (this.#hasRung) run()
    else this.#waiting.add(run)
    return () => void this.#waiting.delete(run)
  }

  ring(): void {
    this.#hasRung = true
    for (const run of this.#waiting) run()
    this.#waiting.clear()
  }
}
