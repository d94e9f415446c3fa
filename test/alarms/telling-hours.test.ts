import { addSeconds } from '@gatehouse-access/core'
import { type Receiver, receiver, type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { tendAlarms } from '../../packages/server/src/alarms/tend-alarms.ts'
import { tellDue } from '../../packages/server/src/telling/sending/tell-due.ts'
import { daily } from '../doors/house.ts'
import { openTellings } from './tellings.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant
let http: Receiver
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

beforeAll(async () => {
  http = owned.use(await receiver())
  w = owned.use(await world())
})
beforeEach(async () => {
  tenant = await w.tenant()
  http.received.length = 0
})
afterAll(() => owned.disposeAsync())

type Rule = Parameters<Tenant['client']['alarm_rules']['create']>[0]
interface Told {
  readonly reason: string
  readonly alarm_count: number
  readonly severity: string
}

const told = () => http.received.map(({ event }) => event as unknown as Told)
const reasons = () => told().map(({ reason }) => reason)

async function addTarget() {
  const { id } = await tenant.client.notification_targets.create({ kind: 'http', url: http.url, secret })
  return { notification_target_id: id }
}

async function addRule(parts: Partial<Rule> = {}) {
  return tenant.client.alarm_rules.create({
    name: 'Doors',
    types: ['door_forced', 'door_held'],
    notify: [await addTarget()],
    ...parts,
  })
}

test('a rule with a delay tells of what lasts; repetitions and escalations end when somebody takes it', async () => {
  const { doors, begin, end, after } = await openTellings(w, tenant, ['A'])
  await addRule({
    delay_seconds: 60,
    repeat_seconds: 600,
    escalate: [{ after_seconds: 900, notify: [await addTarget()] }],
  })
  await begin('door_held')
  await after(30)
  // Opened by another rule's delay or not: this one waits.
  expect(reasons()).toEqual([])
  await end('door_held')
  await after(60)
  expect(reasons()).toEqual([])
  w.clock.advance(400)
  await begin('door_held')
  for (const seconds of [60, 10, 600, 11]) await after(seconds)
  expect(reasons()).toEqual(['opened', 'repeated'])
  await after(300)
  await after(11)
  expect(reasons()).toEqual(['opened', 'repeated', 'escalated'])
  const [alarm] = (await tenant.client.alarms.list({ gadget_id: doors[0] ?? '', state: 'open' })).data
  await tenant.client.alarms.acknowledge(alarm?.id ?? '', {})
  await after(7200)
  expect(reasons()).toHaveLength(3)
  await end('door_held')
  await after(11)
  // Both who were told of it hear of its end.
  expect(reasons().slice(3)).toEqual(['ended', 'ended'])
})

test('a rule with a schedule tells in the morning of what is still on, to the second, in the zone of the site', async () => {
  // The clocks of Madrid go forward in the night to 28 March 2027: 8:00 is 6:00 UTC then.
  w.clock.set('2027-03-27T16:59:00.000000Z')
  const { client } = tenant
  const schedule = await client.schedules.create({ name: 'Day', weekdays: daily })
  const { doors, begin, end, after } = await openTellings(w, tenant, ['A', 'B', 'C'])
  await addRule({ schedule_id: schedule.id })
  await begin('door_held', doors.slice(0, 1))
  await after(10)
  expect(reasons()).toEqual(['opened'])
  w.clock.set('2027-03-27T17:30:00.000000Z')
  await begin('door_held', doors.slice(1))
  await after(60)
  await end('door_held', doors.slice(2))
  for (let hour = 0; hour < 12; hour++) await after(3600)
  w.clock.set('2027-03-28T05:59:59.000000Z')
  await after(0)
  expect(reasons()).toEqual(['opened'])
  w.clock.set('2027-03-28T06:00:00.000000Z')
  await after(0)
  expect(told().slice(1)).toMatchObject([{ reason: 'opened', alarm_count: 1 }])
})

test('what a controller reports long after is one digest; what is still on is told alone', async () => {
  const { doors, begin, after } = await openTellings(w, tenant, ['A', 'B', 'C', 'D'])
  await addRule()
  const started_at = w.clock.now()
  w.clock.advance(6 * 3600)
  const late = { started_at, is_late: true }
  await begin('door_held', doors.slice(0, 3), { ...late, ended_at: w.clock.now() })
  await begin('door_held', doors.slice(3), late)
  await after(11)
  expect(told()).toMatchObject([{ reason: 'opened', alarm_count: 1 }])
  await after(30)
  expect(told().slice(1)).toMatchObject([{ reason: 'digest', alarm_count: 3 }])
})

test('nobody is told of what is explained or in maintenance', async () => {
  const { device_id, site_id, begin, end, after } = await openTellings(w, tenant, ['A', 'B'])
  await addRule({ types: ['door_forced', 'door_held', 'device_offline'] })
  const until = new Date(Date.parse(w.clock.now()) + 3_600_000).toISOString()
  await tenant.client.devices.maintenance(device_id, { until })
  await begin('door_held')
  await after(60)
  await end('door_held')
  await after(60)
  expect(reasons()).toEqual([])
  expect((await tenant.client.alarms.list({ site_id })).data).toHaveLength(2)
})

test('what is still on when maintenance ends is told then, and nothing is repeated during it', async () => {
  const { device_id, site_id, doors, begin, end, after } = await openTellings(w, tenant, ['A', 'B', 'C'])
  await addRule({ repeat_seconds: 600 })
  const pass = async (seconds: number) => {
    w.clock.advance(seconds)
    await tendAlarms(w.server.context)
    await after(0)
    await after(11)
  }
  const inMaintenance = async () =>
    (await tenant.client.alarms.list({ site_id, in_maintenance: true })).data.map(
      ({ gadget_id }) => gadget_id,
    )
  await begin('door_held', doors.slice(0, 1))
  await pass(0)
  expect(reasons()).toEqual(['opened'])
  await tenant.client.sites.maintenance(site_id, { until: addSeconds(w.clock.now(), 3600) })
  await tenant.client.devices.maintenance(device_id, { until: addSeconds(w.clock.now(), 5400) })
  await pass(60)
  await begin('door_held', doors.slice(1))
  for (const seconds of [600, 600, 2400]) await pass(seconds)
  // The site is ready, and its device is not.
  expect(new Set(await inMaintenance())).toEqual(new Set(doors))
  expect(reasons()).toEqual(['opened'])
  await pass(1800)
  expect(await inMaintenance()).toEqual([])
  expect(told().slice(1)).toMatchObject([{ reason: 'opened', alarm_count: 3 }])
  await end('door_held')
  await pass(0)
  expect(told().slice(2)).toMatchObject([{ reason: 'ended', alarm_count: 3 }])
})

test('300 doors forced at 300 sites: at most 20 messages an hour, the first within 2 s, and all are named', async () => {
  const { doors, begin, after } = await openTellings(w, tenant, ['A'])
  await addRule()
  const { db } = w.server.context
  const [door] = doors
  // Sites and doors like the first, without 600 requests.
  const ids = await db.query<{ id: string }>(
    `WITH s AS (INSERT INTO sites SELECT (jsonb_populate_record(t, jsonb_build_object('id', t.id || n))).* FROM sites t, generate_series(1, 300) n
       WHERE t.organization_id = $1 RETURNING id)
     INSERT INTO gadgets SELECT (jsonb_populate_record(g, jsonb_build_object('id', g.id || n, 'site_id', g.site_id || n))).*
       FROM gadgets g, generate_series(1, 300) n, (SELECT count(*) FROM s) made WHERE g.id = $2 RETURNING id`,
    [tenant.organization_id, door],
  )
  await begin(
    'door_forced',
    ids.map(({ id }) => id),
  )
  await after(2)
  expect(told()).toHaveLength(14)
  const held = () =>
    db.query<{ door: string; version: string }>(
      `SELECT a.gadget_id AS door, n.xmin::text AS version FROM notifications n JOIN alarms a ON a.id = n.alarm_id
       WHERE n.organization_id = $1 AND n.message_id IS NULL AND a.type = 'door_forced' ORDER BY n.id LIMIT 1`,
      [tenant.organization_id],
    )
  const [first] = await held()
  // What joins those that wait does not write them anew.
  await begin('door_held', [first?.door ?? ''])
  await after(10)
  expect(await held()).toEqual([first])
  for (let minute = 0; minute < 58; minute++) await after(60)
  expect(told().length).toBeLessThanOrEqual(20)
  expect(told().reduce((sum, { alarm_count }) => sum + alarm_count, 0)).toBe(301)
  expect(told()[14]).toMatchObject({ reason: 'digest', alarm_count: 287, severity: 'critical' })
})

test('many alarms for many people are queued in several transactions, all of them once', async () => {
  const { doors, begin } = await openTellings(w, tenant, ['A', 'B', 'C'])
  await addRule({ notify: [{ role: 'administrator' }] })
  const { context } = w.server
  await context.db.query(
    `WITH u AS (INSERT INTO users (id, email, email_key, created_at)
       SELECT 'usr_' || n, n || '@example.com', n || '@example.com', now() FROM generate_series(1, 900) n RETURNING id)
     INSERT INTO organization_users SELECT $1, id, 'administrator', now() FROM u`,
    [tenant.organization_id],
  )
  await begin('door_forced', doors)
  const queue = () => tellDue(context, tenant.organization_id)
  const count = async () =>
    (
      await context.db.query(
        'SELECT DISTINCT alarm_id, user_id FROM notifications WHERE organization_id = $1',
        [tenant.organization_id],
      )
    ).length
  expect([await queue(), await count()]).toEqual(['more', 1800])
  expect([await queue(), await count()]).toEqual(['done', 2700])
})
