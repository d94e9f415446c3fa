interface Waiter<Who> {
  readonly who: Who
  readonly since: number
}

/** A FIFO queue for connections. */
export class WaitingLine<Who> {
  #places: Waiter<Who>[] = []
  #first = 0

  get length(): number {
    return this.#places.length - this.#first
  }

  /** When the first entry joined, or infinity if the queue is empty. */
  get since(): number {
    return this.#places[this.#first]?.since ?? Number.POSITIVE_INFINITY
  }

  join(who: Who): void {
    this.#places.push({ who, since: performance.now() })
  }

  next(): Who | undefined {
    const place = this.#places[this.#first]
    if (!place) return undefined
    this.#places[this.#first] = undefined as never
    if (++this.#first > 64 && this.#first * 2 > this.#places.length) this.#compact()
    return place.who
  }

  /** Removes and yields the entries that joined before `time`, or all of them. */
  *leaving(time = Number.POSITIVE_INFINITY): Generator<Who> {
    while (this.length > 0 && this.since < time) yield this.next() as Who
  }

  #compact(): void {
    this.#places = this.#places.slice(this.#first)
    this.#first = 0
  }
}
