import { cloneDatabase } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { connect, type Pool } from '../src/database/db.ts'
import { finishMigrations, migrate } from '../src/store/migration/migrate.ts'
import { loadMigrations, type Migration } from '../src/store/migration/migrations.ts'

const now = '2026-11-16T00:00:00.000000Z'
/** What running processes of the version before may rely on. */
const takesAway =
  /\b(DROP (TABLE|COLUMN|VIEW|FUNCTION)|RENAME|SET NOT NULL|ALTER COLUMN \w+ (SET DATA )?TYPE)\b/i

describe('every migration since versions run side by side', async () => {
  const all = await loadMigrations()
  const since = all.filter(({ name }) => name > '098')

  test.each(since.map(({ name, text }) => [name, text]))(
    '%s says in its first line what it is',
    (_name, text) => {
      expect(text).toMatch(/^-- (expand|contract): \S/)
    },
  )

  test.each(since.map(({ name, kind, text }) => [name, kind, text]))(
    '%s takes nothing away unless it is a contract',
    (_name, kind, text) => {
      if (kind === 'expand') expect(text).not.toMatch(takesAway)
    },
  )

  test.each(since.map(({ name, text }) => [name, text]))(
    '%s indexes the parent of the events only, by names that leave room for the month',
    (_name, text) => {
      expect(text).not.toMatch(/INDEX\s+\w+\s+ON\s+events\b/i)
      for (const [, name = ''] of text.matchAll(/INDEX\s+(\w+)\s+ON\s+ONLY\s+events\b/gi))
        expect(name).toMatch(/^events_\w{1,48}$/)
    },
  )
})

describe('while other processes serve', () => {
  const owned = new AsyncDisposableStack()
  let db: Pool
  let url: string
  let migrations: Migration[]
  const expand: Migration = { name: '900-a.sql', kind: 'expand', text: 'CREATE TABLE a (id text)' }
  const contract: Migration = { name: '901-b.sql', kind: 'contract', text: 'DROP TABLE pin_lookups' }
  const last: Migration = { name: '902-c.sql', kind: 'expand', text: 'ALTER TABLE a ADD COLUMN c text' }
  const live = (owner: string, knows: string | null) =>
    db.query(
      'INSERT INTO living_processes (owner, number, seen_at, knows) VALUES ($1, 1, clock_timestamp(), $2)',
      [owner, knows],
    )

  beforeAll(async () => {
    url = owned.use(await cloneDatabase(inject('databases'))).url
    db = owned.use(connect({ url }, 4))
    migrations = [...(await loadMigrations()), expand, contract, last]
  })
  afterAll(() => owned.disposeAsync())

  test('a contract waits until no process of an older version lives, an expand does not', async () => {
    await live('of the version before', '900-a.sql')
    await live('of a version that said nothing', null)
    await live('of this version', '902-c.sql')
    expect(await migrate(db, now, { migrations })).toEqual(['900-a.sql', '902-c.sql'])
    expect(await finishMigrations(db, now, { migrations })).toEqual([])
    await db.query(`DELETE FROM living_processes WHERE owner = 'of the version before'`)
    expect(await finishMigrations(db, now, { migrations })).toEqual([])
    await db.query(`UPDATE living_processes SET seen_at = seen_at - interval '3 seconds' WHERE knows IS NULL`)
    expect(await finishMigrations(db, now, { migrations })).toEqual(['901-b.sql'])
    expect(await finishMigrations(db, now, { migrations })).toEqual([])
  })

  test('a migration that waits for somebody keeps nobody else waiting', async () => {
    const read = Promise.withResolvers<void>()
    const done = Promise.withResolvers<void>()
    const reader = db.transaction(async inner => {
      await inner.query('SELECT count(*) FROM members')
      read.resolve()
      await done.promise
    })
    await read.promise
    const text = 'ALTER TABLE members ADD COLUMN nickname text'
    const wanted = migrate(db, now, {
      migrations: [...migrations, { name: '903-d.sql', kind: 'expand', text }],
    })
    await using other = connect({ url }, 1)
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE query = '${text}' AND wait_event_type = 'Lock'`
    await expect.poll(async () => (await other.query(waiting)).length).toBe(1)
    await other.query('SELECT count(*) FROM members')
    done.resolve()
    expect(await wanted).toEqual(['903-d.sql'])
    await reader
  })
})
