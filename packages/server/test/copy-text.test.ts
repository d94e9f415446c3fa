import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { countRows, inWholeRows, mapRows, readBytes, writeBytes, writeText } from '../src/moving/copy-text.ts'

const text = Array.from({ length: 200 }, (_, row) => `${row}\té\\n${'x'.repeat(row % 7)}\t\\N\n`).join('')

function inChunks(size: number): AsyncIterable<Uint8Array> {
  const bytes = Buffer.from(text)
  const count = Math.ceil(bytes.length / size)
  return Readable.from(Array.from({ length: count }, (_, at) => bytes.subarray(at * size, (at + 1) * size)))
}

test.each([1, 3, 64, 10_000])('rows stay whole in chunks of %i bytes', async size => {
  const parts = await Array.fromAsync(inWholeRows(inChunks(size), 100))
  expect(Buffer.concat(parts).toString()).toBe(text)
  expect(parts.every(part => part.at(-1) === 10)).toBe(true)
  expect(parts.reduce((sum, part) => sum + countRows(part), 0)).toBe(200)
  const mapped = await Array.fromAsync(mapRows(inChunks(size), columns => void columns.splice(2, 1, 'é')))
  expect(Buffer.concat(mapped).toString('latin1')).toBe(
    Buffer.from(text, 'utf8').toString('latin1').replaceAll('\\N', 'é'),
  )
})

test('bytes and text are written as COPY reads them', () => {
  expect(readBytes('\\N')).toBeUndefined()
  expect(writeBytes(Buffer.from('hi'))).toBe('\\\\x6869')
  expect(readBytes('\\\\x6869')?.toString()).toBe('hi')
  expect(Buffer.from(writeText('a\\b\né\t'), 'latin1').toString()).toBe('a\\\\b\\né\\t')
})
