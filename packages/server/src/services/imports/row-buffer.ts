import type { SourceRow } from '@gatehouse-access/api'
import type { InputRows } from './input-rows.ts'

/** Characters of rows that are held at once, beside the first: a row can have a quarter of that. */
const mostCharacters = 1024 * 1024

/** Rows of an input around the place where an import is. */
export class RowBuffer {
  readonly #input: InputRows
  #rows: SourceRow[] = []
  /** The number of the first row that is held. */
  #from = 0
  #characters = 0
  #isRead = false

  constructor(input: InputRows) {
    this.#input = input
  }

  /** Holds up to so many rows from a place on, and forgets those before. Without `isWhole` fewer, if they are long. */
  async fill(from: number, count: number, isWhole = false): Promise<void> {
    this.#forget(from)
    while (!this.#isRead && this.#from + this.#rows.length < from + count) {
      if (!isWhole && this.#from >= from && this.#characters >= mostCharacters) return
      const row = await this.#input.next()
      if (row) this.#hold(row)
      else this.#isRead = true
      if (this.#from < from) this.#forget(from)
    }
  }

  #hold(row: SourceRow): void {
    this.#rows.push(row)
    this.#characters += sizeOf(row)
  }

  #forget(from: number): void {
    const gone = this.#rows.splice(0, Math.max(0, from - this.#from))
    this.#from += gone.length
    for (const row of gone) this.#characters -= sizeOf(row)
  }

  take(from: number, most: number): SourceRow[] {
    return this.#rows.slice(from - this.#from, from - this.#from + most)
  }
}

function sizeOf({ written }: SourceRow): number {
  return written.reduce((size, cell) => size + cell.length, 0)
}
