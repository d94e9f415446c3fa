import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WireReader } from '../src/database/postgres/wire/reader.ts'
import { WireWriter } from '../src/database/postgres/wire/writer.ts'

interface Message {
  readonly type: number
  readonly parts: readonly (string | Uint8Array | null)[]
}

const message = fc.record({
  type: fc.integer({ min: 1, max: 255 }),
  parts: fc.array(
    fc.oneof(
      fc.constant(null),
      fc.uint8Array({ maxLength: 300 }),
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.integer({ min: 0, max: 20_000 }).map(length => 'ü'.repeat(length)),
    ),
    { maxLength: 6 },
  ),
})

describe('messages of the protocol', () => {
  it('arrive as they were written, whatever their size and wherever they are cut', () => {
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 12 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 9000 })),
        check,
      ),
      { numRuns: 20 },
    )
  })

  it('what is taken back is not sent, and what is large is not held on to', () => {
    const out = new WireWriter()
    out.text('kept')
    const { length } = out
    out.text('x'.repeat(100_000))
    out.rewind(length)
    out.text('next')
    expect(out.take().toString()).toBe('kept\0next\0')
    out.text('y'.repeat(1_000_000))
    expect(out.take().length).toBe(1_000_001)
    out.text('small')
    const small = out.take()
    expect([small.toString(), small.buffer.byteLength]).toEqual(['small\0', 32 * 1024])
  })

  it('nothing more is read once it is stopped', () => {
    const seen: number[] = []
    const reader = new WireReader(type => {
      seen.push(type)
      reader.stop()
    })
    reader.push(write([1, 2, 3].map(type => ({ type, parts: [] }))))
    expect(seen).toEqual([1])
  })
})

function check(messages: readonly Message[], cuts: Iterable<number>): void {
  const seen: Message[] = []
  const reader = new WireReader((type, data, start, end) =>
    seen.push({ type, parts: read(data, start, end) }),
  )
  reader.isTrusted = true
  let rest = write(messages)
  for (const cut of cuts) {
    if (rest.length === 0) break
    reader.push(rest.subarray(0, cut))
    rest = rest.subarray(cut)
  }
  expect(seen).toEqual(messages.map(({ type, parts }) => ({ type, parts: parts.map(asBytes) })))
}

function write(messages: readonly Message[]): Buffer {
  const out = new WireWriter()
  const taken = messages.map(({ type, parts }, index) => {
    out.begin(type)
    for (const part of parts) out.value(part)
    out.finish()
    return index % 3 === 0 ? Buffer.from(out.take()) : Buffer.alloc(0)
  })
  return Buffer.concat([...taken, out.take()])
}

function read(data: Buffer, start: number, end: number): (Buffer | null)[] {
  const parts: (Buffer | null)[] = []
  for (let at = start; at < end; ) {
    const length = data.readInt32BE(at)
    parts.push(length < 0 ? null : Buffer.from(data.subarray(at + 4, at + 4 + length)))
    at += 4 + Math.max(0, length)
  }
  return parts
}

function asBytes(part: Message['parts'][number]): Buffer | null {
  return part === null ? null : Buffer.from(part as string)
}
