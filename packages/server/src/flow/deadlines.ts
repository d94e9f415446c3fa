import type { Timers } from './timers.ts'

/**
 * Applies the same timeout to many things. They expire in the order in which they began, so a single timer
 * serves all. A timer for each would cost too much at thousands per second.
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
