import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

let w: World

beforeAll(async () => {
  w = await world()
  await w.server.context.db.query('CREATE TABLE pipelined (number integer)')
})
afterAll(() => w[Symbol.asyncDispose]())

test('what a transaction has sent and not awaited when it fails is rolled back with it', async () => {
  const { db } = w.server.context
  for (let round = 0; round < 20; round++) {
    const failed = db.transaction(async inner => {
      await inner.query('SELECT 1')
      // A statement that is known, and behind it one whose parameters PostgreSQL has yet to describe.
      const sent = [
        inner.query('SELECT pg_sleep(0.01)'),
        inner.query(`INSERT INTO pipelined SELECT $1::integer AS round_${round}`, [round]),
      ]
      void Promise.allSettled(sent)
      throw new Error('given up')
    })
    await expect(failed).rejects.toThrow('given up')
    expect(await db.query('SELECT number FROM pipelined')).toEqual([])
  }
})
