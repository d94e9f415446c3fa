import { manyOr, type Receiver, receiver, type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { followAlarms } from '../../packages/server/src/alarms/following/follow-alarms.ts'
import { tendAlarms } from '../../packages/server/src/alarms/tend-alarms.ts'
import { logEvents } from '../../packages/server/src/store/event-log.ts'
import { tellPeople } from '../../packages/server/src/telling/sending/tell-people.ts'

/** All devices of one organization are lost at once. In `npm run soak -- 10000 storm` these are 10,000. */
const devices = manyOr(400)
const batch = 500
/** Seconds of one core for 10,000 devices, by the specification, and what starting anything costs. */
const allowed = 10 * (devices / 10_000) + 3

const owned = new AsyncDisposableStack()
let w: World
let large: Tenant
let small: Tenant
let told: Receiver

beforeAll(async () => {
  told = owned.use(await receiver())
  w = owned.use(await world())
  large = await w.tenant()
  small = await w.tenant()
})
afterAll(() => owned.disposeAsync())

/** Makes copies of one device, all offline, and returns their ids. */
async function copyDevice({ client, organization_id }: Tenant, count: number): Promise<string[]> {
  const site = await client.sites.create({ name: 'House', timezone: 'Europe/Madrid' })
  const { id } = await client.devices.create({ name: 'Box', site_id: site.id, product_id: 'controller' })
  const rows = await w.server.context.db.query<{ id: string }>(
    `INSERT INTO devices SELECT c.* FROM devices d, generate_series(1, $3::integer) n, jsonb_populate_record(d, jsonb_build_object(
       'id', d.id || n, 'status', d.status || '{"online": false}'::jsonb)) c WHERE d.organization_id = $1 AND d.id = $2 RETURNING id`,
    [organization_id, id, count],
  )
  return rows.map(row => row.id)
}

/** Follows the loss of devices as the consumer does, in batches. */
async function lose({ organization_id }: Tenant, ids: readonly string[]): Promise<void> {
  const { db, clock, feed } = w.server.context
  const after = await feed.head()
  for (let start = 0; start < ids.length; start += batch)
    await logEvents(
      db,
      ids.slice(start, start + batch).map(device_id => ({
        organization_id,
        subject: {},
        verb: 'edit',
        object: { type: 'device', device_id, reason: 'offline' },
        recorded_at: clock.now(),
      })),
    )
  const consumer = followAlarms(w.server.context)
  let position = after
  for (let left = ids.length; left > 0; ) {
    const events = await feed.page({ after: position, batch })
    left -= events.length
    position = events.at(-1)?.position ?? position
    if (events.length > 0) await db.transaction(inner => consumer.handle(inner, events))
  }
}

async function addRule({ client }: Tenant): Promise<void> {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const target = await client.notification_targets.create({ kind: 'http', url: told.url, secret })
  const notify = [{ notification_target_id: target.id }]
  await client.alarm_rules.create({ name: 'Offline', types: ['device_offline'], notify })
}

const countAlarms = async ({ organization_id }: Tenant) => {
  const rows = await w.server.context.db.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM alarms WHERE organization_id = $1 AND type = 'device_offline'`,
    [organization_id],
  )
  return rows[0]?.count
}

test('an organization that loses all of its devices costs little, and keeps nobody waiting', async () => {
  const many = await copyDevice(large, devices)
  const few = await copyDevice(small, 1)
  await addRule(large)
  const began = performance.now()
  const before = process.cpuUsage()
  await lose(large, many)
  await lose(small, few)
  w.clock.advance(301)
  // Tended in turn: after the first batch of the large one, the small one has its alarm.
  const { db, clock, log } = w.server.context
  let whenSmall = 0
  const watching = {
    clock,
    log,
    db: {
      ...db,
      transaction: async <T>(work: Parameters<typeof db.transaction<T>>[0]) => {
        const result = await db.transaction(work)
        if (whenSmall === 0 && (await countAlarms(small)) === 1) whenSmall = (await countAlarms(large)) ?? 0
        return result
      },
    },
  }
  await tendAlarms(watching)
  await tellPeople(w.server.context)
  w.clock.advance(11)
  await tellPeople(w.server.context)
  const { user, system } = process.cpuUsage(before)
  const seconds = (user + system) / 1_000_000
  console.info(
    `${devices} devices: ${seconds.toFixed(2)} s of the service, ${Math.round(performance.now() - began)} ms in all, ${told.received.length} messages`,
  )
  expect(await countAlarms(large)).toBe(devices)
  expect(whenSmall).toBeLessThanOrEqual(100)
  expect(seconds).toBeLessThan(allowed)
  expect(told.received.map(({ event }) => event.alarm_count)).toEqual([devices])
})
