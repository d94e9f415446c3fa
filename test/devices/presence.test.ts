import { startServer } from '@gatehouse-access/server'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../packages/server/src/database/db.ts'
import { Arrivals } from '../../packages/server/src/devices/gateway/arrivals.ts'
import { Departures } from '../../packages/server/src/devices/gateway/departures.ts'
import { present } from '../../packages/server/src/flow/present.ts'
import { building } from './building.ts'
import { ScriptedDevice } from './scripted-device.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

beforeAll(async () => {
  w = owned.use(await world({ log_level: 'fatal', devices: { silence: 4000, hello: 3000, sweep: 200 } }))
  tenant = await w.tenant()
})
afterAll(() => owned.disposeAsync())

async function statusEvents(device_id: string) {
  const { data } = await tenant.client.events.list({
    'object.device_id': device_id,
    'object.type': 'device',
    verb: 'edit',
  })
  return data.length
}

const isOnline = async (id: string) => (await tenant.client.devices.get(id)).status.online

test('online follows the connection: one event each way, none for a quick change of connections', async () => {
  const { device: row, credentials } = await building(w, tenant)
  const device = await ScriptedDevice.open(credentials)
  device.hello({ revision_id: 'rev-7' })
  await device.next('welcome')
  expect(await tenant.client.devices.get(row.id)).toMatchObject({
    revision_id: 'rev-7',
    status: { online: true },
  })
  expect(await statusEvents(row.id)).toBe(1)
  const newer = await ScriptedDevice.connect(credentials, device)
  expect((await device.closed).code).toBe(4409)
  expect(await isOnline(row.id)).toBe(true)
  expect(await statusEvents(row.id)).toBe(1)
  await newer.close()
  await expect.poll(() => isOnline(row.id)).toBe(false)
  expect(await statusEvents(row.id)).toBe(2)
})

test('a device that falls silent is offline; pings keep it', async () => {
  const { device: row, credentials } = await building(w, tenant)
  const device = await ScriptedDevice.connect(credentials)
  for (let pings = 0; pings < 3; pings++) {
    w.timers.advance(3000)
    device.send({ type: 'ping', sent_at: w.clock.now() })
    const pong = await device.next('pong')
    expect(pong.received_at <= pong.sent_at && pong.ping_sent_at < pong.received_at).toBe(true)
  }
  expect(await isOnline(row.id)).toBe(true)
  w.timers.advance(4000)
  expect(await device.closed).toEqual({ code: 4410, reason: 'silent' })
  await expect.poll(() => isOnline(row.id)).toBe(false)
})

test('devices that wait for their turn leave together, with an event each; one that came back stays', async () => {
  const rows = await Promise.all(['Front', 'Back', 'Garage'].map(name => building(w, tenant, name)))
  for (const { credentials } of rows) await ScriptedDevice.connect(credentials)
  const ids = rows.map(({ device }) => device.id)
  const { organization_id } = tenant
  const stored = await w.server.context.db.query<{ device_id: string; connection_id: string }>(
    'SELECT device_id, connection_id FROM device_connections WHERE organization_id = $1 AND device_id = ANY($2::text[])',
    [organization_id, ids],
  )
  const connectionOf = new Map(stored.map(row => [row.device_id, row.connection_id]))
  const arrivals = new Arrivals()
  const { promise: earlier, resolve: finishEarlier } = Promise.withResolvers<void>()
  const busy = Array.from({ length: 3 }, () => arrivals.change(organization_id, () => earlier))
  let transactions = 0
  const db = {
    transaction: <T>(work: (db: Database) => Promise<T>) => {
      transactions++
      return w.server.context.db.transaction(work)
    },
  } as Database
  const departures = new Departures({
    ...w.server.context,
    db,
    clock: w.clock,
    arrivals,
    push: { flushApplied: async () => {} },
  })
  const leaving = ids.map((device_id, place) => {
    const connection_id =
      place === 2 ? 'an earlier connection' : present(connectionOf.get(device_id), 'its id')
    return departures.leave({ organization_id, device_id, connection_id })
  })
  finishEarlier()
  await Promise.all([...busy, ...leaving])
  expect(transactions).toBe(1)
  expect(await Promise.all(ids.map(isOnline))).toEqual([false, false, true])
  expect(await Promise.all(ids.map(statusEvents))).toEqual([2, 2, 1])
  const noPolicy = `SELECT id FROM events WHERE organization_id = $1 AND object->>'device_id' = ANY($2::text[]) AND verb = 'edit' AND touches_policy`
  expect(await w.server.context.db.query(noPolicy, [organization_id, ids])).toEqual([])
})

test('devices that come back do not wait until thousands of the same organization have left', async () => {
  const { organization_id } = tenant
  const arrivals = new Arrivals()
  let [begun, running, most] = [0, 0, 0]
  const db = {
    transaction: async <T>(work: (db: Database) => Promise<T>) => {
      most = Math.max(most, ++running)
      begun++
      return w.server.context.db.transaction(work).finally(() => running--)
    },
  } as Database
  const { clock, context } = { clock: w.clock, context: w.server.context }
  const push = { flushApplied: async () => {} }
  const departures = new Departures({
    ...context,
    db,
    clock,
    arrivals,
    push,
    traffic: { isBusy: () => true },
  })
  const leaving = Array.from({ length: 200 }, (_, place) =>
    departures.leave({ organization_id, device_id: `dev_${place}`, connection_id: `connection ${place}` }),
  )
  const before = await arrivals.change(organization_id, async () => begun)
  await Promise.all(leaving)
  expect(before).toBeLessThan(begun)
  expect(most).toBe(1)
})

test('a connection without a hello ends', async () => {
  const { credentials } = await building(w, tenant)
  const device = await ScriptedDevice.open(credentials)
  await expect
    .poll(() => {
      w.timers.advance(3000)
      return device.socket.readyState
    })
    .toBe(device.socket.CLOSED)
  expect(await device.closed).toEqual({ code: 4408, reason: 'no_hello' })
})

/** Refuses to change a table while the returned resource is held. Counts how often it did. */
async function refusing(change: string) {
  const { db } = w.server.context
  await db.query(
    `CREATE SEQUENCE refusals;
     CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN PERFORM nextval('refusals'); RAISE 'refused'; END $$;
     CREATE TRIGGER refuse BEFORE ${change} FOR EACH ROW EXECUTE FUNCTION refuse()`,
    [],
    { prepare: false },
  )
  return {
    count: async () => {
      const [row] = await db.query<{ count: number }>(
        'SELECT (CASE WHEN is_called THEN last_value ELSE 0 END)::int AS count FROM refusals',
      )
      return row?.count ?? 0
    },
    [Symbol.asyncDispose]: async () =>
      void (await db.query('DROP SEQUENCE refusals; DROP FUNCTION refuse CASCADE', [], { prepare: false })),
  }
}

test('a departure that could not be stored is made up for, though the device never returns', async () => {
  const { device: row, credentials } = await building(w, tenant)
  const device = await ScriptedDevice.connect(credentials)
  {
    await using broken = await refusing('DELETE ON device_connections')
    await device.close()
    await expect.poll(() => broken.count()).toBeGreaterThan(0)
    expect(await isOnline(row.id)).toBe(true)
  }
  await expect.poll(() => isOnline(row.id)).toBe(false)
})

test('a device that arrives and cannot be served is not online', async () => {
  const { device: row, credentials } = await building(w, tenant)
  await using broken = await refusing('INSERT OR UPDATE ON device_policies')
  const device = await ScriptedDevice.open(credentials)
  device.hello()
  expect((await device.closed).code).toBe(1011)
  expect(await broken.count()).toBeGreaterThan(0)
  await expect.poll(() => isOnline(row.id)).toBe(false)
})

test('the devices of a process that died go offline', async () => {
  const { device: row, credentials } = await building(w, tenant)
  const second = await startServer(
    { ...w.server.context.config, port: 0 },
    { clock: w.clock, jobs: false, delivery: false },
  )
  const device = await ScriptedDevice.connect({ ...credentials, url: second.url })
  expect(await isOnline(row.id)).toBe(true)
  // A graceful stop leaves the same state as a crash, but with a shorter lease.
  await second[Symbol.asyncDispose]()
  expect((await device.closed).code).toBe(1001)
  expect(await isOnline(row.id)).toBe(true)
  await expect.poll(() => isOnline(row.id)).toBe(false)
  expect(await statusEvents(row.id)).toBe(2)
})
