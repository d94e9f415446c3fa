import type { Timers } from './timers.ts'

/**
 * Gives each the same time. So whoever began first is late first, and one timer serves all: a timer for each of thousands
 * a second costs more than its share.
 */
export class Deadlines<Thing> {
  readonly #milliseconds: number
  readonly #giveUp: (thing: Thing) => void
  /** When each began, in that order. */
  readonly #begun = new Map<Thing, number>()
  readonly #timers: Timers
  #isPlanned = false

  constructor(timers: Timers, milliseconds: number, giveUp: (thing: Thing) => void) {
    this.#timers = timers
    this.#milliseconds = milliseconds
    this.#giveUp = giveUp
  }

  begin(thing: Thing): void {
    this.#begun.set(thing, this.#timers.elapsed())
    if (!this.#isPlanned) this.#plan(this.#milliseconds)
  }

  end(thing: Thing): void {
    this.#begun.delete(thing)
  }

  #plan(milliseconds: number): void {
    this.#isPlanned = true
    this.#timers.later(milliseconds, () => this.#look())
  }

  #look(): void {
    this.#isPlanned = false
    for (const [thing, begun] of this.#begun) {
      const left = begun + this.#milliseconds - this.#timers.elapsed()
      if (left > 0) return void this.#plan(left)
      this.#begun.delete(thing)
      this.#giveUp(thing)
    }
  }
}
