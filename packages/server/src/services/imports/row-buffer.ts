import type { SourceRow } from '@gatehouse-access/api'
import type { InputRows } from './input-rows.ts'

/** Rows of an input around the place where an import is. */
export class RowBuffer {
  readonly #input: InputRows
  #rows: SourceRow[] = []
  /** The number of the first row that is held. */
  #from = 0
  #isRead = false

  constructor(input: InputRows) {
    this.#input = input
  }

  /** Holds so many rows from a place on, and forgets those before. */
  async fill(from: number, count: number): Promise<void> {
    while (!this.#isRead && this.#from + this.#rows.length < from + count) {
      const row = await this.#input.next()
      if (row) this.#rows.push(row)
      else this.#isRead = true
      if (this.#rows.length > 2 * count) this.#forget(from)
    }
    this.#forget(from)
  }

  #forget(from: number): void {
    const count = Math.min(from - this.#from, this.#rows.length)
    if (count <= 0) return
    this.#rows.splice(0, count)
    this.#from += count
  }

  take(from: number, most: number): SourceRow[] {
    return this.#rows.slice(from - this.#from, from - this.#from + most)
  }
}
