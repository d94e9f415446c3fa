import { describe, expect, test } from 'vitest'
import { Pace } from '../src/flow/pace.ts'

describe('a pace of a hundred a second', () => {
  test('those who come at once begin one after another', () => {
    const pace = new Pace(100)
    expect([0, 0, 0, 25].map(now => pace.take(now))).toEqual([0, 10, 20, 5])
  })

  test('who comes after a while does not wait, and a while saves nothing up', () => {
    const pace = new Pace(100)
    expect([0, 1000, 1000, 1009, 1031].map(now => pace.take(now))).toEqual([0, 0, 10, 11, 0])
  })
})
