import { idMilliseconds, isId } from '@gatehouse-access/core'
import { expect, test } from 'vitest'
import { firstId, newId } from '../src/store/ids.ts'

const now = '2031-05-01T12:00:00.123456Z'
const later = '2031-05-01T12:00:00.124Z'

test('ids of one time ascend in the order in which they are made, also while others are made for a later time', () => {
  const made = Array.from({ length: 5000 }, () => {
    newId('event', later)
    return newId('member', now)
  })
  expect(made).toEqual(made.toSorted())
  expect(new Set(made).size).toBe(made.length)
  expect(made.every(id => isId('mem', id) && idMilliseconds(id) === Date.parse(now))).toBe(true)
  expect(firstId('member', now) < (made[0] ?? '')).toBe(true)
  expect((made.at(-1) ?? '') < firstId('member', later)).toBe(true)
})

test('the first of a time is anywhere, and the next are not beside it', () => {
  const times = Array.from(
    { length: 200 },
    (_, index) => `2031-05-02T12:00:00.${String(index).padStart(3, '0')}Z`,
  )
  const parts = times.map(time => newId('member', time).slice(-10, -8))
  expect(new Set(parts).size).toBeGreaterThan(100)
  const next = Array.from({ length: 20 }, () => newId('member', now).slice(-10, -4))
  expect(new Set(next).size).toBeGreaterThan(10)
})
