/** The next time that an alarm rings. */
export interface Ring {
  /** Calls when it rings, at once if it has; returns how to take that back. */
  on(run: () => void): () => void
}

/** Wakes everyone who waits in this process. */
export class Alarm {
  #next = new NextRing()

  /** The same promise until it rings. Take it before looking for work, and no ring in between is missed. */
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

/** No promise: whoever waited for it in vain again and again would stay in it until it rings. */
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
