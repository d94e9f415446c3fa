import { cloneDatabase } from '@gatehouse-access/testkit'
import { expect, inject, test } from 'vitest'
import { connect } from '../src/database/db.ts'
import { makeEventPartitions } from '../src/store/migration/migrate.ts'

test.each([
  ['2031-01-31T12:00:00Z', ['2031_01', '2031_02', '2031_03', '2031_04']],
  ['2031-10-31T23:59:59Z', ['2031_10', '2031_11', '2031_12', '2032_01']],
  ['2032-02-29T00:00:00Z', ['2032_02', '2032_03', '2032_04', '2032_05']],
  ['2031-12-01T00:30:00+01:00', ['2031_11', '2031_12', '2032_01', '2032_02']],
])('on %s no month is left out', async (now, months) => {
  await using owned = new AsyncDisposableStack()
  const { url } = owned.use(await cloneDatabase(inject('databases')))
  const db = owned.use(connect({ url }, 1))
  await makeEventPartitions(db, now)
  const rows = await db.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relname ~ '^events_203[0-9]_[0-9]+$' AND relkind = 'r' ORDER BY 1`,
  )
  expect(rows.map(({ name }) => name.slice('events_'.length))).toEqual(months)
})
