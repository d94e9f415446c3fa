import { type HashKey, keyedHash } from './keyed-hash.ts'

const parts = 64
const firstPlaces = 16
/** The most places of a part that are taken, and how much it grows then. */
const [fullest, growth] = [0.85, 1.25]

/**
 * Which values were seen, and in which line first: about 17 bytes for each, however long. Values with the same hash count
 * as the same: with two million of them that happens once in ten million files.
 */
export class SeenValues {
  readonly #key: HashKey
  /** Each grows by itself, so that growing takes little time and memory at once. */
  readonly #parts = Array.from({ length: parts }, () => new Part())

  constructor(key: HashKey) {
    this.#key = key
  }

  get size(): number {
    return this.#parts.reduce((size, part) => size + part.size, 0)
  }

  /** Returns the line that the value was first in. */
  note(value: string, line: number): number {
    const hash = keyedHash(this.#key, value)
    return this.#partOf(hash).note(hash, line)
  }

  has(value: string): boolean {
    const hash = keyedHash(this.#key, value)
    return this.#partOf(hash).has(hash)
  }

  #partOf([, second]: HashKey): Part {
    return this.#parts[second % parts] as Part
  }
}

/** A table with open addressing: three words for each place, the line first, which is 0 where the place is free. */
class Part {
  size = 0
  #places = firstPlaces
  #words = new Uint32Array(3 * firstPlaces)

  note(hash: HashKey, line: number): number {
    const at = this.#find(hash)
    const known = this.#words[at] as number
    if (known !== 0) return known
    this.#words[at] = line
    this.#words[at + 1] = hash[0]
    this.#words[at + 2] = hash[1]
    if (++this.size > fullest * this.#places) this.#grow()
    return line
  }

  has(hash: HashKey): boolean {
    return this.#words[this.#find(hash)] !== 0
  }

  /** Where the hash is, or would be. */
  #find([first, second]: HashKey): number {
    const words = this.#words
    for (let place = Math.floor((first / 2 ** 32) * this.#places); ; place = (place + 1) % this.#places) {
      const at = 3 * place
      if (words[at] === 0 || (words[at + 1] === first && words[at + 2] === second)) return at
    }
  }

  #grow(): void {
    const before = this.#words
    this.#places = Math.ceil(this.#places * growth)
    this.#words = new Uint32Array(3 * this.#places)
    for (let at = 0; at < before.length; at += 3)
      if (before[at] !== 0) {
        const [line, first, second] = before.subarray(at, at + 3) as unknown as [number, number, number]
        this.#words.set([line, first, second], this.#find([first, second]))
      }
  }
}
