import { expect, test } from 'vitest'
import { eachApart } from '../src/flow/each-apart.ts'

test('all are worked on, and what failed is told at the end', async () => {
  const done: number[] = []
  const failing = (...those: number[]) =>
    eachApart([1, 2, 3], async item => {
      if (those.includes(item)) throw new Error(`not ${item}`)
      done.push(item)
    })
  await failing()
  await expect(failing(1)).rejects.toThrow('not 1')
  await expect(failing(1, 2)).rejects.toMatchObject({
    message: '2 of 3 failed',
    cause: { message: 'not 1' },
  })
  expect(done).toEqual([1, 2, 3, 2, 3, 3])
})
