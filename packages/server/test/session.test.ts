import { cloneDatabase } from '@gatehouse-access/testkit'
import { expect, inject, test } from 'vitest'
import { Session } from '../src/database/session.ts'
import { databaseOf } from '../src/database/session-database.ts'
import { asOfOneMoment } from '../src/policy/load.ts'

async function* once(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}

test('rows are copied out and in, as much as there are', async () => {
  await using database = await cloneDatabase(inject('databases'))
  using session = await Session.open(database)
  await session.query('CREATE TABLE doors (id bigint, name text)')
  const sent = session.copyOut(
    `COPY (SELECT n, repeat('x', 100) FROM generate_series(1, 100000) n) TO STDOUT`,
  )
  const rows: Buffer[] = []
  for (;;) {
    const { done, value } = await sent.next()
    if (done) {
      expect(value).toBe(100_000)
      break
    }
    rows.push(value)
  }
  await session.copyIn('COPY doors FROM STDIN', once(Buffer.concat(rows).toString('utf8')))
  expect(await session.query('SELECT count(*) AS count, max(id) AS last FROM doors')).toEqual([
    { count: '100000', last: '100000' },
  ])
})

test('what cannot be copied in is refused, and the session goes on', async () => {
  await using database = await cloneDatabase(inject('databases'))
  using session = await Session.open(database)
  await session.query('CREATE TABLE doors (id bigint)')
  await expect(session.copyIn('COPY doors FROM STDIN', once('1\ntwo\n'))).rejects.toThrow(
    'invalid input syntax',
  )
  const torn = (async function* () {
    yield Buffer.from('1\n')
    throw new Error('the archive is damaged')
  })()
  await expect(session.copyIn('COPY doors FROM STDIN', torn)).rejects.toThrow('the archive is damaged')
  await expect(session.copyIn('COPY gone FROM STDIN', once('1\n'))).rejects.toThrow('does not exist')
  expect(await session.query('SELECT id FROM doors')).toEqual([])
})

test('a copy that is not read to its end closes its session', async () => {
  await using database = await cloneDatabase(inject('databases'))
  using session = await Session.open(database)
  for await (const _ of session.copyOut(
    `COPY (SELECT repeat('x', 1000) FROM generate_series(1, 100000)) TO STDOUT`,
  ))
    break
  await expect(session.query('SELECT 1')).rejects.toThrow('the service has closed its connections')
})

test('what works with any database joins the transaction of the session, and does not end its snapshot', async () => {
  await using database = await cloneDatabase(inject('databases'))
  using session = await Session.open(database)
  const db = databaseOf(session)
  const began = () => session.query('SELECT now()::text')
  await session.transaction('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', async () => {
    const before = await began()
    expect(await asOfOneMoment(db, inner => inner.query('SELECT now()::text'))).toEqual(before)
    expect(await began()).toEqual(before)
    await expect(session.transaction('BEGIN', async () => undefined)).rejects.toThrow('within another')
  })
  await db.transaction(async inner => expect(await inner.transaction(began)).toEqual(await began()))
})
