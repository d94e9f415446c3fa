import { HashTable } from './hash-table.ts'
import { type HashKey, keyedHash } from './keyed-hash.ts'

/**
 * Which values were seen, and in which line first: about 17 bytes for each, however long. Values with the same hash count
 * as the same: with two million of them that happens once in ten million files.
 */
export class SeenValues {
  readonly #key: HashKey
  readonly #lines = new HashTable()

  constructor(key: HashKey) {
    this.#key = key
  }

  get size(): number {
    return this.#lines.size
  }

  /** Returns the line that the value was first in. */
  note(value: string, line: number): number {
    const hash = keyedHash(this.#key, value)
    const known = this.#lines.get(hash)
    if (known !== undefined) return known
    this.#lines.set(hash, line)
    return line
  }

  has(value: string): boolean {
    return this.#lines.get(keyedHash(this.#key, value)) !== undefined
  }
}
