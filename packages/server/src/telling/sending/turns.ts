/** Organizations whose last turn is remembered. */
const mostRemembered = 10_000

/** Gives turns to those first who had theirs longest ago, or never. */
export class Turns {
  /** In the order of their last turns. */
  readonly #last = new Set<string>()

  order(ids: readonly string[]): string[] {
    const asked = new Set(ids)
    return [...ids.filter(id => !this.#last.has(id)), ...[...this.#last].filter(id => asked.has(id))]
  }

  note(id: string): void {
    this.#last.delete(id)
    this.#last.add(id)
    const [oldest] = this.#last
    if (this.#last.size > mostRemembered && oldest !== undefined) this.#last.delete(oldest)
  }
}
