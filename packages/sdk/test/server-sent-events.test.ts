import { expect, test } from 'vitest'
import { readParts } from '../src/server-sent-events.ts'

const text = 'data: one\r\n\r\n: keep-alive\r\n\r\ndata: first line\r\ndata: señal\r\n\r\ndata: cut off'
const parts = ['one', undefined, 'first line\nseñal']
const bytes = new TextEncoder().encode(text)

function read(chunks: readonly Uint8Array[]) {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
  return Array.fromAsync(readParts(body))
}

test('messages are the same wherever the network cuts them', async () => {
  for (let cut = 0; cut <= bytes.length; cut++)
    expect(await read([bytes.subarray(0, cut), bytes.subarray(cut)]), `cut at ${cut}`).toEqual(parts)
  expect(await read(Array.from(bytes, byte => Uint8Array.of(byte)))).toEqual(parts)
})

test.each(['\n', '\r', '\r\n'])('lines may end with %j', async end => {
  const sent = new TextEncoder().encode(text.replaceAll('\r\n', end))
  expect(await read([sent])).toEqual(parts)
})
