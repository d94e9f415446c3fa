import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type Database, type Pool } from '@gatehouse-access/server'
import { cloneDatabase, type TestDatabase } from '@gatehouse-access/testkit'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'

let database: TestDatabase
let db: Pool

beforeEach(async () => {
  database = await cloneDatabase(inject('databases'))
  db = connect({ url: database.url }, 1)
  await db.query('CREATE TABLE notes (text text)')
})
afterEach(async () => {
  await db[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

describe('a transaction whose connection is lost', () => {
  it('runs nothing more, also when the pool has connected anew', async () => {
    const ended = db.transaction(async inner => {
      await note(inner, 'before')
      await end(await backendOf(inner))
      await db.query('SELECT 1').catch(() => undefined)
      await note(inner, 'after')
    })
    await expect(ended).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
    await sleep(100)
    expect(await db.query('SELECT text FROM notes')).toEqual([])
  })

  it('fails at once when it is lost in the middle of a statement, and the next one works', async () => {
    const ended = db.transaction(async inner => {
      await note(inner, 'before')
      const pid = await backendOf(inner)
      await Promise.all([inner.query('SELECT pg_sleep(10)'), sleep(100).then(() => end(pid))])
    })
    await expect(ended).rejects.toMatchObject({ code: expect.stringMatching(/^(CONNECTION_CLOSED|57P01)$/) })
    await db.transaction(inner => note(inner, 'next'))
    expect(await db.query('SELECT text FROM notes')).toEqual([{ text: 'next' }])
  })

  it('fails although its work hides the error', async () => {
    const ended = db.transaction(async inner => {
      await note(inner, 'before')
      await end(await backendOf(inner))
      await note(inner, 'after').catch(() => undefined)
    })
    await expect(ended).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
    expect(await db.query('SELECT text FROM notes')).toEqual([])
  })
})

async function note(inner: Database, text: string): Promise<void> {
  await inner.query('INSERT INTO notes VALUES ($1)', [text])
}

async function backendOf(inner: Database): Promise<number> {
  const [row] = await inner.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return row?.pid as number
}

async function end(pid: number): Promise<void> {
  await using other = connect({ url: database.url }, 1)
  await other.query('SELECT pg_terminate_backend($1)', [pid])
  await sleep(50)
}
