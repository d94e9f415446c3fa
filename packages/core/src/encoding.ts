/** Names as `TextDecoder` knows them. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/**
 * Finds the encoding of a text that arrives in pieces: by its byte order mark, by the zero bytes that UTF-16 has
 * beside every Latin letter, else UTF-8 as long as everything is valid UTF-8, else Windows-1252, which spreadsheets
 * write where nobody asked for anything else.
 */
export class EncodingFinder {
  #head: number[] = []
  /** Bytes of a UTF-8 character that are still to come, and the lowest and highest value of the next. */
  #missing = 0
  #lowest = 0x80
  #highest = 0xbf
  #isUtf8 = true

  read(bytes: Uint8Array): void {
    for (let index = 0; this.#head.length < 4 && index < bytes.length; index++)
      this.#head.push(bytes[index] ?? 0)
    if (this.#isUtf8) this.#isUtf8 = this.#check(bytes)
  }

  /** What the text is in, once all of it was read; before that, what it is in if the rest is alike. */
  get encoding(): Encoding {
    return this.wide ?? (this.#isUtf8 && this.#missing === 0 ? 'utf-8' : 'windows-1252')
  }

  /** UTF-16 is known from the first bytes on. In everything else, ASCII characters are single bytes. */
  get wide(): 'utf-16le' | 'utf-16be' | undefined {
    const [first, second, third, fourth] = this.#head
    if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0 && third !== 0 && fourth === 0))
      return 'utf-16le'
    if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0 && third === 0 && fourth !== 0))
      return 'utf-16be'
    return undefined
  }

  #check(bytes: Uint8Array): boolean {
    for (let index = 0; index < bytes.length; index++) {
      const byte = bytes[index] as number
      if (this.#missing === 0 && byte < 0x80) continue
      if (!this.#take(byte)) return false
    }
    return true
  }

  /** RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF. */
  #take(byte: number): boolean {
    if (this.#missing > 0) {
      if (byte < this.#lowest || byte > this.#highest) return false
      this.#missing--
      this.#lowest = 0x80
      this.#highest = 0xbf
      return true
    }
    if (byte < 0xc2 || byte > 0xf4) return false
    this.#missing = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3
    if (byte === 0xe0) this.#lowest = 0xa0
    if (byte === 0xed) this.#highest = 0x9f
    if (byte === 0xf0) this.#lowest = 0x90
    if (byte === 0xf4) this.#highest = 0x8f
    return true
  }
}
