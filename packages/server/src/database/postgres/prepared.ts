import type { Column } from './wire/rows.ts'
import type { Shape } from './wire/shapes.ts'

/** A statement that PostgreSQL keeps for one connection. */
export interface Prepared {
  readonly name: string
  /** Undefined until PostgreSQL has told them. */
  columns: readonly Column[] | undefined
  /** PostgreSQL has confirmed it. */
  isReady: boolean
  used: number
}

/**
 * What one connection has prepared. PostgreSQL keeps the plan of each in memory until it is closed, so the one that was
 * used longest ago makes room for the next.
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

  /** Makes room for one more; answers the names of what has to be closed. Undefined: nothing can be closed yet. */
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
