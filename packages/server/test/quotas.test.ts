import { expect, test } from 'vitest'
import { defaultQuotas } from '../src/config/quotas.ts'
import type { Database } from '../src/database/db.ts'
import { Quotas } from '../src/store/counts/quotas.ts'

test('room that is given back is free, although what takes long to count is not counted again at once', async () => {
  let now = 0
  const db = {
    query: async () => {
      now += 100
      return [{ count: 2 }]
    },
  } as unknown as Database
  const clock = { now: () => '2026-11-19T00:00:00Z' }
  const quotas = new Quotas({ ...defaultQuotas, card: 10 }, clock, { elapsed: () => now })
  const holder = ['org_1']
  await quotas.take(db, 'card', holder, 6)
  await expect(quotas.check(db, 'card', holder, 3)).rejects.toThrow('10 cards')
  quotas.giveBack('card', holder, 6)
  await quotas.check(db, 'card', holder, 8)
  await expect(quotas.check(db, 'card', holder, 9)).rejects.toThrow('10 cards')
})
