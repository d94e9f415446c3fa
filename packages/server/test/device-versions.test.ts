import { cloneDatabase } from '@gatehouse-access/testkit'
import { expect, inject, test } from 'vitest'
import { connect, type Pool } from '../src/database/db.ts'
import { readMoment } from '../src/database/moment.ts'
import {
  readVersions,
  storeApplied,
  storeVersions,
  type VersionOfDevice,
} from '../src/devices/policy/versions.ts'

const organization_id = 'org_1'
const deviceIds = Array.from({ length: 9 }, (_, index) => `dev_${index}`)

test('versions that are sent and versions that are confirmed, of the same devices at once, are not deadlocked', async () => {
  await using owned = new AsyncDisposableStack()
  const { url } = owned.use(await cloneDatabase(inject('databases')))
  await visit(url, async db => {
    await connectDevices(db)
    // As with many devices, rows are read one after another in the order of the request.
    for (const plan of ['hashjoin', 'mergejoin', 'seqscan', 'bitmapscan'])
      await db.query(
        `ALTER ROLE CURRENT_USER IN DATABASE ${new URL(url).pathname.slice(1)} SET enable_${plan} = off`,
      )
  })
  // Each on a connection of its own, as several are in use in a busy service.
  const [db, other, third] = [1, 2, 3].map(() => owned.use(connect({ url }, 1))) as [Pool, Pool, Pool]
  const { epoch, snapshot } = await readMoment(db)
  const all = (version: number): VersionOfDevice[] =>
    deviceIds.map(device_id => ({
      organization_id,
      device_id,
      connection_id: `con_${device_id}`,
      version,
      hash: `hash ${version}`,
      places_hash: 'places',
      epoch,
      snapshot,
      made_in: epoch,
      at: '2030-01-01T00:00:00Z',
    }))
  const release = Promise.withResolvers<void>()
  const held = db.transaction(async inner => {
    await inner.query(`SELECT 1 FROM device_policies WHERE device_id = 'dev_4' FOR UPDATE`)
    await release.promise
  })
  const sent = storeVersions(other, all(2))
  const confirmed = storeApplied(third, all(1).reverse())
  // They meet at the device in the middle, each with half of the others.
  await visit(url, watcher => expect.poll(() => countWaiting(watcher)).toBe(2))
  release.resolve()
  await Promise.all([held, confirmed])
  expect((await sent).size).toBe(deviceIds.length)
  const { version, known } = await readVersions(db, organization_id, 'dev_0')
  expect([version, ...known.map(one => one.version)]).toEqual([2, 1, 2])
})

async function visit<T>(url: string, work: (db: Pool) => Promise<T>): Promise<T> {
  await using db = connect({ url }, 1)
  return await work(db)
}

async function countWaiting(db: Pool): Promise<number> {
  const rows = await db.query(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  )
  return rows.length
}

/** Without the devices themselves, which play no part. */
async function connectDevices(db: Pool): Promise<void> {
  await db.query(
    'ALTER TABLE device_connections DROP CONSTRAINT device_connections_organization_id_device_id_fkey',
  )
  await db.query('ALTER TABLE device_policies DROP CONSTRAINT device_policies_organization_id_device_id_fkey')
  await db.query(
    `WITH policies AS (INSERT INTO device_policies (organization_id, device_id) SELECT $1, id FROM unnest($2::text[]) AS id)
     INSERT INTO device_connections (organization_id, device_id, connection_id, process_id, connected_at)
     SELECT $1, id, 'con_' || id, 'process', now() FROM unnest($2::text[]) AS id`,
    [organization_id, deviceIds],
  )
}
