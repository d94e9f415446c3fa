import { expect, test } from 'vitest'
import { once } from '../src/flow/once.ts'

test('what was made is made once, also for those who ask meanwhile', async () => {
  let count = 0
  const get = once(async () => ++count)
  expect(get.made()).toBeUndefined()
  expect(await Promise.all([get(), get()])).toEqual([1, 1])
  expect(await get.made()).toBe(1)
})

test('what could not be made is tried again', async () => {
  let count = 0
  const get = once(async () => {
    if (++count === 1) throw new Error('too many open files')
    return count
  })
  await expect(Promise.all([get(), get()])).rejects.toThrow('too many open files')
  expect(get.made()).toBeUndefined()
  expect(await get()).toBe(2)
})
