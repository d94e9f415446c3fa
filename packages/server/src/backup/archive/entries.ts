import { DamagedError } from './damaged-error.ts'

/** A file inside an archive. Its length is not known in advance, because a database file may grow or shrink. */
export interface Entry {
  readonly path: string
  /** Permission bits; a folder has no content. */
  readonly mode?: number
  readonly is_folder?: boolean
  readonly content?: AsyncIterable<Uint8Array>
}

const batch = 256 * 1024

/**
 * Writes entries one after another: a length and JSON, then chunks with their lengths, then a zero. Small
 * parts are put together, because each that is compressed by itself takes a turn of a thread.
 */
export async function* writeEntries(entries: AsyncIterable<Entry>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = []
  let length = 0
  for await (const part of writeParts(entries)) {
    held.push(part)
    length += part.length
    if (length < batch) continue
    yield Buffer.concat(held)
    held = []
    length = 0
  }
  yield Buffer.concat(held)
}

async function* writeParts(entries: AsyncIterable<Entry>): AsyncGenerator<Uint8Array> {
  for await (const { content, ...about } of entries) {
    const text = Buffer.from(JSON.stringify(about))
    yield sizeOf(text.length)
    yield text
    for await (const chunk of content ?? []) {
      if (chunk.length === 0) continue
      yield sizeOf(chunk.length)
      yield chunk
    }
    yield sizeOf(0)
  }
  yield sizeOf(0)
}

function sizeOf(length: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(length)
  return bytes
}

/** Yields the entries. The content of each has to be read to its end before the next is asked for. */
export async function* readEntries(source: AsyncIterable<Uint8Array>): AsyncGenerator<Entry> {
  const bytes = new ByteReader(source)
  for (;;) {
    const length = await bytes.readLength()
    if (length === 0) break
    const about = JSON.parse((await bytes.read(length)).toString('utf8')) as Entry
    let isRead = false
    const content = (async function* () {
      for (let left = await bytes.readLength(); left > 0; left = await bytes.readLength())
        for (; left > 0; ) {
          const part = await bytes.readSome(left)
          left -= part.length
          yield part
        }
      isRead = true
    })()
    yield { ...about, content }
    if (!isRead) for await (const _ of content);
  }
  if (!(await bytes.isAtEnd())) throw new DamagedError('something follows its last entry')
}

class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>
  #held: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  async readLength(): Promise<number> {
    return (await this.read(4)).readUInt32BE(0)
  }

  async read(length: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for (let left = length; left > 0; ) {
      const part = await this.readSome(left)
      parts.push(part)
      left -= part.length
    }
    return Buffer.concat(parts)
  }

  /** Reads at least one byte and at most `most`. */
  async readSome(most: number): Promise<Buffer> {
    if (this.#held.length === 0 && !(await this.#fill())) throw new DamagedError('it ends within an entry')
    const part = this.#held.subarray(0, most)
    this.#held = this.#held.subarray(part.length)
    return part
  }

  async isAtEnd(): Promise<boolean> {
    return this.#held.length === 0 && !(await this.#fill())
  }

  async #fill(): Promise<boolean> {
    for (;;) {
      const { done, value } = await this.#source.next()
      if (done) return false
      if (value.length === 0) continue
      this.#held = Buffer.from(value.buffer, value.byteOffset, value.length)
      return true
    }
  }
}
