import { cloneDatabase } from '@gatehouse-access/testkit'
import { expect, inject, it } from 'vitest'
import { connect } from '../src/database/db.ts'

it('answers every row after a statement that failed between two rows', async () => {
  await using database = await cloneDatabase(inject('databases'))
  await using db = connect({ url: database.url }, 1)
  const failing = db.query('SELECT 1 / (5 - n) FROM generate_series(1, 9) n')
  await expect(failing).rejects.toThrow('division by zero')
  const rows = await db.query('SELECT n FROM generate_series(1, 3) n')
  expect(rows.length).toBe(3)
  expect(rows).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
})
