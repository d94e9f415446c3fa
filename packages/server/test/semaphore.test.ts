import { expect, test } from 'vitest'
import { Semaphore } from '../src/flow/semaphore.ts'

function openWork() {
  const ends: (() => void)[] = []
  const begun: number[] = []
  const work = (number: number) => () => {
    begun.push(number)
    return new Promise<number>(resolve => ends.push(() => resolve(number)))
  }
  return { ends, begun, work }
}

test('few work at once, others wait in their order, and whoever comes when the line is full is refused', async () => {
  const turns = new Semaphore(2, { most_waiting: 2, what: 'tests' })
  const { ends, begun, work } = openWork()
  const done = [1, 2, 3, 4].map(number => turns.run(work(number)))
  await expect(turns.run(work(5))).rejects.toMatchObject({
    type: 'unavailable',
    headers: { 'retry-after': '1' },
  })
  expect(begun).toEqual([1, 2])
  ends[0]?.()
  await done[0]
  await expect.poll(() => begun).toEqual([1, 2, 3])
  for (const end of ends) end()
  await expect.poll(() => ends.length).toBe(4)
  ends[3]?.()
  expect(await Promise.all(done)).toEqual([1, 2, 3, 4])
})

test('work that fails gives its lane back', async () => {
  const turns = new Semaphore(1, { most_waiting: 0, what: 'tests' })
  await expect(turns.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await turns.run(async () => 'fine')).toBe('fine')
})
