import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hmac, hmacKey } from '../src/delivery/webhooks/hmac.ts'

test('signs as the library does, with keys and bodies of any length', () => {
  const bytes = (longest: number) => fc.uint8Array({ maxLength: longest }).map(array => Buffer.from(array))
  fc.assert(
    fc.property(bytes(200), fc.string({ unit: 'binary' }), bytes(5000), (key, head, body) => {
      const expected = createHmac('sha256', key).update(head).update(body)
      expect(hmac(hmacKey(key), head, body, 'hex')).toBe(expected.digest('hex'))
    }),
  )
})

test('a body longer than any before is signed whole', () => {
  const [key, body] = [Buffer.from('whsec_key'), Buffer.alloc(1_000_000, 'x')]
  const expected = createHmac('sha256', key).update('head.').update(body).digest('base64')
  expect(hmac(hmacKey(key), 'head.', body, 'base64')).toBe(expected)
})
