import { expect, test } from 'vitest'
import type { Database } from '../src/database/db.ts'
import { PinCounts } from '../src/store/counts/pin-counts.ts'

let now: number
let held: number
let asked: number

function openCounts(): { counts: PinCounts; db: Database } {
  const db = {
    query: async (_: string, [, , most]: [string, number, number]) => {
      asked++
      return [{ count: Math.min(held, most) }]
    },
  } as unknown as Database
  now = 0
  asked = 0
  return { counts: new PinCounts({ elapsed: () => now }), db }
}

test('a count far below what matters is made once a minute', async () => {
  const { counts, db } = openCounts()
  held = 20_000
  for (; now < 60_000; now += 100) expect(await counts.count(db, 'org_1', 8, 5_000_000)).toBe(20_000)
  expect(asked).toBe(1)
  held = 30_000
  expect(await counts.count(db, 'org_1', 8, 5_000_000)).toBe(30_000)
  expect(await counts.count(db, 'org_2', 8, 5_000_000)).toBe(30_000)
  expect(asked).toBe(3)
})

test('nobody finds room that others could have taken meanwhile, and nobody is refused what is free again', async () => {
  const { counts, db } = openCounts()
  held = 40_000
  expect(await counts.count(db, 'org_1', 6, 50_000)).toBe(40_000)
  // As fast as is assumed.
  for (; held < 50_000; held += 10, now++)
    expect(await counts.count(db, 'org_1', 6, 50_000)).toBeLessThan(50_000)
  expect(await counts.count(db, 'org_1', 6, 50_000)).toBe(50_000)
  held -= 10
  expect(await counts.count(db, 'org_1', 6, 50_000)).toBe(49_990)
})

test('a count as far as one ratio needs it does not answer for another', async () => {
  const { counts, db } = openCounts()
  held = 600
  expect(await counts.count(db, 'org_1', 6, 1000)).toBe(600)
  expect(await counts.count(db, 'org_1', 6, 500)).toBe(500)
  expect(await counts.count(db, 'org_1', 6, 50_000)).toBe(600)
})
