import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inSlices } from '../src/flow/slices.ts'

/** Works for the given milliseconds in steps of half a millisecond. */
function* workFor(milliseconds: number): Generator<undefined, string> {
  for (let step = 0; step < milliseconds * 2; step++) {
    const end = performance.now() + 0.5
    while (performance.now() < end);
    yield
  }
  return 'done'
}

test('long work of many lets the loop turn, and short work of another comes between', async () => {
  const order: string[] = []
  const long = Array.from({ length: 10 }, () =>
    inSlices('large', workFor(40)).then(() => order.push('large')),
  )
  const short = inSlices('other', workFor(1)).then(() => order.push('other'))
  let turns = 0
  let isRunning = true
  const count = async () => {
    while (isRunning) {
      await nextTurn()
      turns++
    }
  }
  const counted = count()
  await Promise.all([...long, short])
  isRunning = false
  await counted
  expect(order[0]).toBe('other')
  // 400 milliseconds of work in slices of five milliseconds.
  expect(turns).toBeGreaterThan(60)
})

test('what is short is done at once, and a fault is the answer', async () => {
  let isDone = false
  const done = inSlices('one', workFor(0)).then(() => (isDone = true))
  await Promise.resolve()
  await Promise.resolve()
  expect(isDone).toBe(true)
  await done
  await expect(
    inSlices(
      'one',
      (function* (): Generator<undefined, void> {
        yield
        throw new Error('a fault')
      })(),
    ),
  ).rejects.toThrow('a fault')
})

test('what takes longer than it may is given up', async () => {
  await expect(inSlices('one', workFor(200), 50)).rejects.toMatchObject({ type: 'unavailable' })
})
