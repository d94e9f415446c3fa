import { hash } from 'node:crypto'

/** Numbers in a slot, and bytes that they are stored in: two of a digest, and what is kept under it. */
const width = 3
export const entryBytes = 4 * width

/** Keeps numbers by names, of which it holds only digests: hundreds of thousands take a few megabytes. */
export class DigestMap {
  #slots = new Int32Array(width * 1024)
  #size = 0

  get(name: string): number | undefined {
    const [high, low] = digestOf(name)
    const at = this.#find(high, low)
    return this.#isEmpty(at) ? undefined : this.#slots[at + 2]
  }

  set(entry: Buffer): void {
    if (this.#size * width * 2 >= this.#slots.length) this.#grow()
    this.#put(entry.readInt32LE(0), entry.readInt32LE(4), entry.readInt32LE(8))
  }

  #put(high: number, low: number, value: number): void {
    const at = this.#find(high, low)
    if (this.#isEmpty(at)) this.#size++
    this.#slots.set([high, low, value], at)
  }

  /** Returns where the digest is, or else the slot for it. */
  #find(high: number, low: number): number {
    const slots = this.#slots
    let at = ((low >>> 0) % (slots.length / width)) * width
    while (!this.#isEmpty(at) && (slots[at] !== high || slots[at + 1] !== low))
      at = (at + width) % slots.length
    return at
  }

  #isEmpty(at: number): boolean {
    return this.#slots[at] === 0 && this.#slots[at + 1] === 0
  }

  #grow(): void {
    const old = this.#slots
    this.#slots = new Int32Array(2 * old.length)
    this.#size = 0
    for (let at = 0; at < old.length; at += width)
      if (old[at] !== 0 || old[at + 1] !== 0)
        this.#put(old[at] as number, old[at + 1] as number, old[at + 2] as number)
  }
}

export function entryOf(name: string, value: number): Buffer {
  const entry = Buffer.alloc(entryBytes)
  for (const [index, number] of [...digestOf(name), value].entries()) entry.writeInt32LE(number, 4 * index)
  return entry
}

function digestOf(name: string): [number, number] {
  const digest = hash('sha256', name, 'buffer')
  return [digest.readInt32LE(0), digest.readInt32LE(4)]
}
