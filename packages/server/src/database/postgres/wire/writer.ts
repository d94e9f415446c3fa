const slabSize = 32 * 1024
/** Below this length, reserves three bytes per character instead of measuring the text first. */
const shortText = 4096

/**
 * Appends protocol messages to a buffer, to be taken and sent as one batch. A taken batch stays in place,
 * because the socket may still be reading it: no byte of a slab is ever overwritten.
 */
export class WireWriter {
  #slab = Buffer.allocUnsafeSlow(slabSize)
  #start = 0
  #end = 0
  #message = 0

  get length(): number {
    return this.#end - this.#start
  }

  /** Returns what was written since the last call. Replaces a slab that has grown for a large message. */
  take(): Buffer {
    const batch = this.#slab.subarray(this.#start, this.#end)
    this.#start = this.#end
    if (this.#slab.length > slabSize) this.#renew(slabSize)
    return batch
  }

  /** Discards everything after the first `length` bytes, so that an incomplete message is never sent. */
  rewind(length: number): void {
    this.#end = this.#start + length
  }

  begin(type: number): void {
    this.#reserve(5)
    this.#slab[this.#end++] = type
    this.beginUntyped()
  }

  /** Begins a message without a type byte: the startup message. */
  beginUntyped(): void {
    this.#reserve(4)
    this.#message = this.#end
    this.#end += 4
  }

  finish(): void {
    this.#slab.writeInt32BE(this.#end - this.#message, this.#message)
  }

  /** Writes a message without content. */
  plain(type: number): void {
    this.begin(type)
    this.finish()
  }

  byte(value: number): void {
    this.#reserve(1)
    this.#slab[this.#end++] = value
  }

  int16(value: number): void {
    this.#reserve(2)
    this.#end = this.#slab.writeUInt16BE(value, this.#end)
  }

  int32(value: number): void {
    this.#reserve(4)
    this.#end = this.#slab.writeInt32BE(value, this.#end)
  }

  /** Writes a zero-terminated string. */
  text(value: string): void {
    this.#reserve(spaceFor(value) + 1)
    this.#end += this.#slab.write(value, this.#end)
    this.#slab[this.#end++] = 0
  }

  bytes(value: Uint8Array): void {
    this.#reserve(value.length)
    this.#slab.set(value, this.#end)
    this.#end += value.length
  }

  /** Writes a parameter value, prefixed with its length. */
  value(value: string | Uint8Array | null): void {
    if (value === null) return void this.int32(-1)
    if (typeof value !== 'string') {
      this.int32(value.length)
      return void this.bytes(value)
    }
    this.#reserve(4 + spaceFor(value))
    const written = this.#slab.write(value, this.#end + 4)
    this.#end = this.#slab.writeInt32BE(written, this.#end) + written
  }

  #reserve(size: number): void {
    if (this.#end + size <= this.#slab.length) return
    this.#renew(Math.max(slabSize, (this.length + size) * 2))
  }

  #renew(size: number): void {
    const kept = this.length
    const slab = Buffer.allocUnsafeSlow(size)
    this.#slab.copy(slab, 0, this.#start, this.#end)
    this.#message -= this.#start
    this.#start = 0
    this.#end = kept
    this.#slab = slab
  }
}

function spaceFor(text: string): number {
  return text.length < shortText ? text.length * 3 : Buffer.byteLength(text)
}
