import { expect, test } from 'vitest'
import { ShortMemory } from '../src/flow/short-memory.ts'
import { systemTimers } from '../src/flow/timers.ts'

function remember() {
  const listeners: (() => void)[] = []
  const revocations = { onRevoked: (listener: () => void) => void listeners.push(listener) }
  const memory = new ShortMemory<{ name: string }>(revocations, systemTimers)
  let loads = 0
  const load = (value?: { name: string }) => async () => {
    loads++
    return value
  }
  const revoke = () => {
    for (const listener of listeners) listener()
  }
  return { memory, load, loads: () => loads, revoke }
}

test('any number of guesses does not push out what exists', async () => {
  const { memory, load } = remember()
  await memory.find('known', load({ name: 'Ada' }))
  for (let guess = 0; guess <= 10_000; guess++) await memory.find(`guess ${guess}`, load())
  expect(memory.recall('known')).toEqual({ name: 'Ada' })
})

test('what is not there is looked up once, and never recalled', async () => {
  const { memory, load, loads } = remember()
  await memory.find('nobody', load())
  await memory.find('nobody', load())
  expect([loads(), memory.recall('nobody')]).toEqual([1, undefined])
})

test('all who ask during a look-up share it', async () => {
  const { memory, load, loads } = remember()
  const found = await Promise.all(
    Array.from({ length: 32 }, () => memory.find('known', load({ name: 'Ada' }))),
  )
  expect([loads(), new Set(found).size]).toEqual([1, 1])
})

test('what was read before a revocation is neither remembered nor shared after it', async () => {
  const { memory, load, loads, revoke } = remember()
  const slow = Promise.withResolvers<{ name: string }>()
  const before = memory.find('known', () => slow.promise)
  revoke()
  const after = await memory.find('known', load({ name: 'Grace' }))
  slow.resolve({ name: 'Ada' })
  expect([(await before)?.name, after?.name, memory.recall('known')?.name, loads()]).toEqual([
    'Ada',
    'Grace',
    'Grace',
    1,
  ])
})

test('a look-up that failed is tried again', async () => {
  const { memory, load } = remember()
  await expect(memory.find('known', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await memory.find('known', load({ name: 'Ada' }))).toEqual({ name: 'Ada' })
})
