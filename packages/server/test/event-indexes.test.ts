import { cloneDatabase } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { connect, type Pool } from '../src/database/db.ts'
import { indexAll, lacksIndexes } from '../src/database/event-indexes.ts'
import { Session } from '../src/database/session.ts'
import { migrate } from '../src/store/migration/migrate.ts'
import { loadMigrations } from '../src/store/migration/migrations.ts'

const now = '2026-11-16T00:00:00.000000Z'
const owned = new AsyncDisposableStack()
let db: Pool
let url: string

const write = (count: number) => `
  INSERT INTO events (id, organization_id, subject, verb, object, created_at, recorded_at, clock_adjusted)
  SELECT gen_random_uuid()::text, 'org_1', '{}', 'created', jsonb_build_object('colour', 'red', 'more', repeat('x', 200)), '${now}', '${now}', false
  FROM generate_series(1, ${count})`
const found = `SELECT (SELECT indisvalid FROM pg_index WHERE indexrelid = 'events_filter_colour'::regclass) AS is_valid,
  (SELECT array_agg(relname::text ORDER BY relname) FROM pg_class p JOIN pg_inherits h ON h.inhrelid = p.oid
   WHERE h.inhparent = 'events'::regclass AND NOT EXISTS (
     SELECT 1 FROM pg_inherits a JOIN pg_index i ON i.indexrelid = a.inhrelid
     WHERE a.inhparent = 'events_filter_colour'::regclass AND i.indrelid = p.oid AND i.indisvalid)) AS without`

beforeAll(async () => {
  url = owned.use(await cloneDatabase(inject('databases'))).url
  db = owned.use(connect({ url }, 4))
  await migrate(db, now)
  await db.query(write(5000))
})
afterAll(() => owned.disposeAsync())

test('an index is added to a large log without keeping a writer waiting, even if the builder is killed', async () => {
  const text = `CREATE INDEX events_filter_colour ON ONLY events (organization_id, (object->>'colour'), created_at, id) WHERE (object->>'colour') IS NOT NULL`
  const added = { name: '900-colours.sql', kind: 'expand', text } as const
  await migrate(db, now, { migrations: [...(await loadMigrations()), added] })
  await db.query(`SELECT make_event_partition('2040-01-01')`)
  expect(await db.query(found)).toEqual([{ is_valid: false, without: ['events_2026_11'] }])

  await db.transaction(async writer => {
    await writer.query(write(1))
    using session = await Session.open({ url })
    const killed = expect(indexAll(session)).rejects.toThrow()
    const waiting = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query ~ '^CREATE INDEX CONCURRENTLY' AND wait_event_type = 'Lock'`
    await expect.poll(async () => (await db.query(waiting)).length).toBe(1)
    await db.query(write(1))
    using other = await Session.open({ url })
    await indexAll(other)
    await db.query(`SELECT pg_terminate_backend(pid) FROM (${waiting}) w`)
    await killed
  })
  expect(await lacksIndexes(db)).toBe(true)

  using session = await Session.open({ url })
  await indexAll(session)
  expect(await db.query(found)).toEqual([{ is_valid: true, without: null }])
  expect(await lacksIndexes(db)).toBe(false)
})
