import { cloneDatabase } from '@gatehouse-access/testkit'
import { expect, inject, it } from 'vitest'
import { connect } from '../src/database/db.ts'

it('carries arrays of text to the database and back', async () => {
  await using database = await cloneDatabase(inject('databases'))
  await using db = connect({ url: database.url }, 1)
  for (const values of [
    [],
    ['one', 'two'],
    ['', ' ', 'NULL', 'null', null],
    ['a,b', '{c}', '"d"', '\\e', "f'g", 'line\nbreak', '\\"', 'zürich 🔑'],
  ])
    expect(await db.query('SELECT $1::text[] AS values', [values])).toEqual([{ values }])
})
