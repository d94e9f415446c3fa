import { finish } from '@gatehouse-access/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { writeJson } from '../src/flow/write-json.ts'

const anyAnswer = fc.letrec(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.integer(),
      fc.double({ noNaN: true }),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie('value'), { maxLength: 40, size: 'medium' }),
    fc.dictionary(fc.string(), fc.oneof(tie('value'), fc.constant(undefined)), {
      maxKeys: 36,
      size: 'medium',
    }),
  ),
})).value

test('writes what JSON.stringify writes', () => {
  fc.assert(
    fc.property(anyAnswer, value => {
      expect(finish(writeJson(value))).toBe(JSON.stringify(value))
    }),
    { numRuns: 20 },
  )
})

test('writes what JSON.stringify writes where it takes many steps', () => {
  const odd = [undefined, null, '\u2028"', { a: undefined, b: [] }, [], {}]
  const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`name "${index}"`, odd]))
  const value = {
    long: Array(9000).fill(odd),
    wide,
    inner: [{ wide }, [Array(5000).fill(1)]],
    last: undefined,
  }
  expect(finish(writeJson(value))).toBe(JSON.stringify(value))
})

test('can be paused all along', () => {
  const rules = Array.from({ length: 500 }, (_, index) => ({
    gadget_id: `gad_${index}`,
    access_methods: { pin: true },
  }))
  const groups = Array.from({ length: 100 }, (_, index) => ({ id: `mg_${index}`, permissions: rules }))
  const steps = writeJson({ data: groups, has_next: false })
  let count = 0
  let last = steps.next()
  for (; !last.done; last = steps.next()) count++
  expect(last.value).toBe(JSON.stringify({ data: groups, has_next: false }))
  expect(count).toBeGreaterThan(40)
})

test('long texts are written in several steps, as many small values are', () => {
  const pictures = Array(20).fill('p'.repeat(100_000))
  for (const value of [pictures, { pictures }, ['é'.repeat(1_000_000)]])
    expect(finish(writeJson(value))).toBe(JSON.stringify(value))
  expect([...writeJson(pictures)].length).toBeGreaterThan(5)
})
