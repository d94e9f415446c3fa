import { malformed, PostgresError } from './errors.ts'
import { back } from './messages.ts'

/** Handles one message, given its type and the range of its content in `data`. */
type Handle = (type: number, data: Buffer, start: number, end: number) => void

const header = 5
const megabyte = 1024 * 1024
/** Largest size in bytes of a row, and of any other message. Only rows are large; errors may quote input. */
const longestRow = 256 * megabyte
const longestOther = 16 * megabyte
/** Before authentication, the sender is untrusted. */
const longestStranger = 64 * 1024

/** Splits the incoming bytes into messages. Only a message that spans several chunks is copied, once. */
export class WireReader {
  handle: Handle
  /** Whether authentication is complete. */
  isTrusted = false
  #parts: Buffer[] = []
  #held = 0
  #needed = header
  #isStopped = false

  constructor(handle: Handle) {
    this.handle = handle
  }

  /** Stops reading at once, even in the middle of a chunk. */
  stop(): void {
    this.#isStopped = true
    this.#parts = []
  }

  push(chunk: Buffer): void {
    const data = this.#join(chunk)
    if (!data) return
    let at = 0
    while (data.length - at >= header && !this.#isStopped) {
      const end = this.#endOf(data, at)
      if (end > data.length) break
      this.handle(data[at] as number, data, at + header, end)
      at = end
    }
    if (at < data.length) this.#keep(data.subarray(at))
  }

  #join(chunk: Buffer): Buffer | undefined {
    if (this.#held === 0) return chunk
    this.#parts.push(chunk)
    this.#held += chunk.length
    if (this.#held < this.#needed) return undefined
    const data = Buffer.concat(this.#parts, this.#held)
    this.#parts = []
    this.#held = 0
    return data
  }

  #keep(rest: Buffer): void {
    this.#parts.push(rest)
    this.#held = rest.length
    this.#needed = rest.length < header ? header : this.#endOf(rest, 0)
  }

  /** Rejects an invalid length before anything is buffered for it. */
  #endOf(data: Buffer, at: number): number {
    const length = data.readUInt32BE(at + 1)
    const isRow = data[at] === back.dataRow || data[at] === back.copyData
    const longest = this.isTrusted ? (isRow ? longestRow : longestOther) : longestStranger
    if (length < 4 || length > longest) throw malformed(`a message has ${length} bytes`)
    return at + 1 + length
  }
}

/** Returns the index of the terminating zero of the text at `at`. Throws unless it lies before `end`. */
export function endOfText(data: Buffer, at: number, end: number): number {
  const zero = data.indexOf(0, at)
  if (zero < 0 || zero >= end) throw malformed('a text does not end')
  return zero
}

export function readText(data: Buffer, at: number, end: number): string {
  return data.toString('utf8', at, endOfText(data, at, end))
}

export function readError(data: Buffer, start: number, end: number): PostgresError {
  const fields = new Map<string, string>()
  for (let at = start; data[at] !== 0; ) {
    if (at >= end) throw malformed('an error does not end')
    const zero = endOfText(data, at + 1, end)
    fields.set(String.fromCharCode(data[at] as number), data.toString('utf8', at + 1, zero))
    at = zero + 1
  }
  return new PostgresError(fields)
}
