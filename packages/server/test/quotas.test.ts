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

test('whoever has made room finds it, also where counting takes long', async () => {
  let now = 0
  let held = 10
  const db = {
    query: async () => {
      now += 100
      return [{ count: held }]
    },
  } as unknown as Database
  const clock = { now: () => '2026-11-19T00:00:00Z' }
  const quotas = new Quotas({ ...defaultQuotas, card: 10 }, clock, { elapsed: () => now })
  const holder = ['org_1']
  await expect(quotas.take(db, 'card', holder)).rejects.toThrow('10 cards')
  held = 8
  await quotas.renew(db, ['card'], holder)
  await expect(quotas.take(db, 'card', holder)).rejects.toThrow('10 cards')
  await quotas.renew(db, ['card'], holder, { has_made_room: true })
  await quotas.take(db, 'card', holder)
})

test('what is renewed before a transaction is not counted in it, and what was never counted is not counted', async () => {
  let now = 0
  const asked: string[] = []
  const counting = (name: string) =>
    ({ query: async () => [{ count: 1 + asked.push(name) }] }) as unknown as Database
  const quotas = new Quotas(
    { ...defaultQuotas, card: 1_000_000 },
    { now: () => '2026-11-19T00:00:00Z' },
    { elapsed: () => now },
  )
  const holder = ['org_1']
  await quotas.take(counting('first'), 'card', holder)
  const renew = () => quotas.renew(counting('renewed'), ['card', 'member'], holder)
  await renew()
  expect(asked).toEqual(['first'])
  now = 70_000
  await renew()
  await quotas.take(counting('transaction'), 'card', holder)
  expect(asked).toEqual(['first', 'renewed'])
})

test('a count has neither what was taken and is not written yet, nor what a dry run foresees', async () => {
  let now = 0
  const db = { query: async () => [{ count: 5 }] } as unknown as Database
  const clock = { now: () => '2026-11-19T00:00:00Z' }
  const quotas = new Quotas({ ...defaultQuotas, card: 10 }, clock, { elapsed: () => now })
  const take = async (amount: number, unwritten: object) => {
    now += 100
    await quotas.take(db, 'card', ['org_1'], amount, unwritten)
  }
  await take(4, {})
  await take(1, { pending: 4 })
  await expect(take(1, { pending: 5 })).rejects.toThrow('10 cards')
  await expect(take(1, { foreseen: 5 })).rejects.toThrow('10 cards')
  await take(6, { foreseen: -1 })
})
