import { finish } from '@gatehouse/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { writeJson } from '../src/http/write-json.ts'

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
  expect(count).toBeGreaterThan(1000)
})
