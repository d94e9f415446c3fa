/**
 * Gives each the same time. So whoever began first is late first, and one timer serves all: a timer for each of thousands
 * a second costs more than its share.
 */
export class Patience<Thing> {
  readonly #milliseconds: number
  readonly #giveUp: (thing: Thing) => void
  /** When each began, in that order. */
  readonly #begun = new Map<Thing, number>()
  #timer: NodeJS.Timeout | undefined

  constructor(milliseconds: number, giveUp: (thing: Thing) => void) {
    this.#milliseconds = milliseconds
    this.#giveUp = giveUp
  }

  begin(thing: Thing): void {
    this.#begun.set(thing, performance.now())
    this.#timer ??= this.#later(this.#milliseconds)
  }

  end(thing: Thing): void {
    this.#begun.delete(thing)
  }

  #later(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.#look(), milliseconds).unref()
  }

  #look(): void {
    this.#timer = undefined
    for (const [thing, begun] of this.#begun) {
      const left = begun + this.#milliseconds - performance.now()
      if (left > 0) {
        this.#timer = this.#later(left)
        return
      }
      this.#begun.delete(thing)
      this.#giveUp(thing)
    }
  }
}
