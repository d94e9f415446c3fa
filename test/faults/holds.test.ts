import { connect } from '@gatehouse-access/server'
import { cloneDatabase, holdChanges, holdTables } from '@gatehouse-access/testkit'
import { expect, inject, test } from 'vitest'

// The feeds of all databases of the cluster wait for the oldest transaction that has an id.
test.each([
  ['reads', holdTables],
  ['changes', holdChanges],
])('a test that holds %s of a table holds back nothing of other tests', async (_what, hold) => {
  await using owned = new AsyncDisposableStack()
  const { url } = owned.use(await cloneDatabase(inject('databases')))
  const db = owned.use(connect({ url }, 2))
  // Of its own, because a question may be sent right behind the change that waits.
  const beside = owned.use(connect({ url }, 1))
  const release = await hold(db, 'members')
  owned.defer(release)
  const ids = await beside.query(
    'SELECT backend_xid::text FROM pg_stat_activity WHERE datname = current_database() AND backend_xid IS NOT NULL',
  )
  expect(ids).toEqual([])
  const change = db.query(`UPDATE members SET name = 'x'`)
  const waiting = () =>
    beside.query(`SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'members'::regclass`)
  await expect.poll(waiting).toHaveLength(1)
  await release()
  expect(await change).toEqual([])
})
