import { expect, test } from 'vitest'
import { EncodingFinder } from '../src/encoding.ts'

function find(bytes: Uint8Array, size = bytes.length || 1) {
  const finder = new EncodingFinder()
  for (let start = 0; start < bytes.length; start += size) finder.read(bytes.subarray(start, start + size))
  return finder.encoding
}

const text = 'name;größe\nÄnne;€ 5 😀\n'

test.each([
  ['utf-8', Buffer.from(text)],
  ['utf-8', Buffer.from(`\uFEFF${text}`)],
  ['utf-8', Buffer.from('plain')],
  ['utf-8', Buffer.alloc(0)],
  ['utf-16le', Buffer.from(`\uFEFF${text}`, 'utf16le')],
  ['utf-16le', Buffer.from(text, 'utf16le')],
  ['utf-16be', Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
  ['utf-16be', Buffer.from(text, 'utf16le').swap16()],
  ['windows-1252', Buffer.from('name;größe', 'latin1')],
  ['windows-1252', Buffer.from([0x61, 0x80, 0x62])],
  ['windows-1252', Buffer.from([0x61, 0xc3])],
])('%s is found, whatever the pieces', (encoding, bytes) => {
  for (const size of [1, 2, 3, 1000]) expect(find(bytes, size)).toBe(encoding)
})

test('says UTF-8 of what a strict decoder accepts, and only of that', () => {
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const decodes = (bytes: Uint8Array) => {
    try {
      strict.decode(bytes)
      return true
    } catch {
      return false
    }
  }
  const wrong: string[] = []
  const parts = [
    0x61, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xed, 0xef, 0xf0, 0xf4,
    0xf5,
  ]
  for (const a of parts)
    for (const b of parts)
      for (const c of parts)
        for (const d of [0x61, 0xbf]) {
          const bytes = Uint8Array.of(0x61, 0x61, a, b, c, d)
          if ((find(bytes) === 'utf-8') !== decodes(bytes)) wrong.push(String(bytes))
        }
  expect(wrong).toEqual([])
})
