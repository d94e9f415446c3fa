import type { Column } from './wire/rows.ts'
import type { Shape } from './wire/shapes.ts'

/** A prepared statement on one connection. */
export interface Prepared {
  readonly name: string
  /** Undefined until PostgreSQL has described them. */
  columns: readonly Column[] | undefined
  /** Whether PostgreSQL has confirmed the Parse. */
  isReady: boolean
  used: number
}

/**
 * The prepared statements of one connection. PostgreSQL keeps each plan in memory until the statement is
 * closed, so the least recently used one is evicted to make room for the next.
 */
export class PreparedStatements {
  readonly #most: number
  readonly #byShape = new Map<Shape, Prepared>()
  #doomed: string[] = []
  #named = 0
  #uses = 0

  constructor(most: number) {
    this.#most = most
  }

  find(shape: Shape): Prepared | undefined {
    const prepared = this.#byShape.get(shape)
    if (prepared) prepared.used = ++this.#uses
    return prepared
  }

  add(shape: Shape): Prepared {
    const prepared = { name: `s${++this.#named}`, columns: undefined, isReady: false, used: ++this.#uses }
    this.#byShape.set(shape, prepared)
    return prepared
  }

  forget(shape: Shape): void {
    const prepared = this.#byShape.get(shape)
    if (prepared?.isReady) this.#doomed.push(prepared.name)
    this.#byShape.delete(shape)
  }

  /**
   * Makes room for one more statement, and returns the names of the statements to close. Returns undefined if
   * none can be closed yet.
   */
  makeRoom(): string[] | undefined {
    if (this.#byShape.size >= this.#most) {
      const oldest = this.#findOldest()
      if (!oldest) return undefined
      this.forget(oldest)
    }
    return this.#doomed.splice(0)
  }

  #findOldest(): Shape | undefined {
    let oldest: Shape | undefined
    let used = Number.POSITIVE_INFINITY
    for (const [shape, prepared] of this.#byShape)
      if (prepared.isReady && prepared.used < used) [oldest, used] = [shape, prepared.used]
    return oldest
  }
}
