/** Two random words of 32 bits, at least one of which is not 0. */
export type Hash = readonly [number, number]

const parts = 64
const firstPlaces = 16
/** The most places of a part that are taken, and how much it grows then. */
const [fullest, growth] = [0.85, 1.25]

/** Numbers of 32 bits under hashes: about 17 bytes for each. */
export class HashTable {
  /** Each grows by itself, so that growing takes little time and memory at once. */
  readonly #parts = Array.from({ length: parts }, () => new Part())

  get size(): number {
    return this.#parts.reduce((size, part) => size + part.size, 0)
  }

  get(hash: Hash): number | undefined {
    return this.#partOf(hash).get(hash)
  }

  set(hash: Hash, value: number): void {
    this.#partOf(hash).set(hash, value)
  }

  #partOf([, second]: Hash): Part {
    return this.#parts[(second >>> 0) % parts] as Part
  }
}

/** A table with open addressing: three words for each place, the hash first, which is 0 where the place is free. */
class Part {
  size = 0
  #places = firstPlaces
  #words = new Int32Array(3 * firstPlaces)

  get(hash: Hash): number | undefined {
    const at = this.#find(hash)
    return this.#isFree(at) ? undefined : this.#words[at + 2]
  }

  set(hash: Hash, value: number): void {
    const at = this.#find(hash)
    if (this.#isFree(at)) this.size++
    this.#put(at, hash, value)
    if (this.size > fullest * this.#places) this.#grow()
  }

  #put(at: number, [first, second]: Hash, value: number): void {
    this.#words[at] = first
    this.#words[at + 1] = second
    this.#words[at + 2] = value
  }

  #isFree(at: number): boolean {
    return this.#words[at] === 0 && this.#words[at + 1] === 0
  }

  /** Where the hash is, or would be. */
  #find(hash: Hash): number {
    const words = this.#words
    const [first, second] = [hash[0] | 0, hash[1] | 0]
    let place = Math.floor(((first >>> 0) / 2 ** 32) * this.#places)
    for (; ; place = (place + 1) % this.#places) {
      const at = 3 * place
      if ((words[at] === first && words[at + 1] === second) || this.#isFree(at)) return at
    }
  }

  #grow(): void {
    const before = this.#words
    this.#places = Math.ceil(this.#places * growth)
    this.#words = new Int32Array(3 * this.#places)
    for (let at = 0; at < before.length; at += 3) {
      const [first, second, value] = before.subarray(at, at + 3) as unknown as [number, number, number]
      if (first !== 0 || second !== 0) this.#put(this.#find([first, second]), [first, second], value)
    }
  }
}
