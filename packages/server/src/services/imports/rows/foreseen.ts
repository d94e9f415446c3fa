import { hash } from 'node:crypto'
import { type Hash, HashTable, type RowProblem } from '@gatehouse-access/api'

const [free, taken] = [1, 2]
/** Bytes of what is stored of a note: a digest of its name, and a number. */
const [digestBytes, entryBytes] = [8, 12]

/**
 * What earlier rows of a file have been about, and what they leave for later ones. A dry run writes nothing, and each of
 * its batches would otherwise find everything as it was before the first row.
 */
export class Foreseen {
  /** Of names it holds only digests: hundreds of thousands take a few megabytes. */
  readonly #kept = new HashTable()
  /** Of the batch in progress, which may be tried again. */
  readonly #fresh = new Map<string, number>()

  /** Goes on with what an earlier leader has stored. */
  static async load(chunks: AsyncIterable<Buffer>): Promise<Foreseen> {
    const foreseen = new Foreseen()
    let rest: Buffer = Buffer.alloc(0)
    for await (const chunk of chunks) {
      const all = Buffer.concat([rest, chunk])
      const end = all.length - (all.length % entryBytes)
      for (let at = 0; at < end; at += entryBytes)
        foreseen.#kept.set(hashIn(all, at), all.readInt32LE(at + digestBytes))
      rest = all.subarray(end)
    }
    return foreseen
  }

  /** What the batch in progress has noted, as bytes to store. */
  get entries(): Buffer {
    const entries = Buffer.alloc(entryBytes * this.#fresh.size)
    for (const [index, [name, value]] of [...this.#fresh].entries()) {
      digestOf(name).copy(entries, entryBytes * index, 0, digestBytes)
      entries.writeInt32LE(value, entryBytes * index + digestBytes)
    }
    return entries
  }

  /** Keeps what the batch has noted, or forgets it, if it is tried again. */
  settle(isStored: boolean): void {
    if (isStored) for (const [name, value] of this.#fresh) this.#kept.set(hashOf(name), value)
    this.#fresh.clear()
  }

  /** Returns what is wrong with a row about the same as one before it. */
  repeatOf(name: string, column: string): RowProblem | undefined {
    const line = this.#get(`line ${name}`)
    return line === undefined ? undefined : { column, problem: `The value is the same as in line ${line}` }
  }

  note(name: string, line: number): void {
    this.#fresh.set(`line ${name}`, line)
  }

  isFree(name: string): boolean {
    return this.#get(name) === free
  }

  isTaken(name: string): boolean {
    return this.#get(name) === taken
  }

  free(name: string): void {
    this.#fresh.set(name, free)
  }

  take(name: string): void {
    this.#fresh.set(name, taken)
  }

  count(name: string): number {
    return this.#get(`count ${name}`) ?? 0
  }

  /** Without those of the batch in progress. */
  countBefore(name: string): number {
    return this.#kept.get(hashOf(`count ${name}`)) ?? 0
  }

  add(name: string, amount: number): void {
    if (amount !== 0) this.#fresh.set(`count ${name}`, this.count(name) + amount)
  }

  #get(name: string): number | undefined {
    return this.#fresh.get(name) ?? this.#kept.get(hashOf(name))
  }
}

function hashOf(name: string): Hash {
  return hashIn(digestOf(name), 0)
}

function hashIn(bytes: Buffer, at: number): Hash {
  return [bytes.readInt32LE(at), bytes.readInt32LE(at + 4)]
}

function digestOf(name: string): Buffer {
  return hash('sha256', name, 'buffer')
}
