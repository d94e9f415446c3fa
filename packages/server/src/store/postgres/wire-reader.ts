import { PostgresError } from './errors.ts'

/** One message: its type, and where in the bytes its content lies. */
export type Handle = (type: number, data: Buffer, start: number, end: number) => void

const header = 5

/** Cuts what arrives into messages. Only a message that arrives in pieces is copied, once. */
export class WireReader {
  handle: Handle
  #parts: Buffer[] = []
  #held = 0
  #needed = header
  #isStopped = false

  constructor(handle: Handle) {
    this.handle = handle
  }

  /** Nothing is read any more, not even the rest of what is being read. */
  stop(): void {
    this.#isStopped = true
    this.#parts = []
  }

  push(chunk: Buffer): void {
    const data = this.#join(chunk)
    if (!data) return
    let at = 0
    while (data.length - at >= header && !this.#isStopped) {
      const end = endOf(data, at)
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
    this.#needed = rest.length < header ? header : endOf(rest, 0)
  }
}

function endOf(data: Buffer, at: number): number {
  return at + 1 + data.readUInt32BE(at + 1)
}

/** The text up to the next zero. */
export function readText(data: Buffer, at: number): string {
  return data.toString('utf8', at, data.indexOf(0, at))
}

export function readError(data: Buffer, start: number): PostgresError {
  const fields = new Map<string, string>()
  for (let at = start; data[at] !== 0; ) {
    const letter = String.fromCharCode(data[at] as number)
    const end = data.indexOf(0, at + 1)
    fields.set(letter, data.toString('utf8', at + 1, end))
    at = end + 1
  }
  return new PostgresError(fields)
}
