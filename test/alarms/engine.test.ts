import { addSeconds } from '@gatehouse-access/core'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { beginConditions } from '../../packages/server/src/alarms/begin-conditions.ts'
import { type Condition, conditionKey } from '../../packages/server/src/alarms/condition.ts'
import { endAlarm } from '../../packages/server/src/alarms/end-alarms.ts'
import { openAlarm } from '../../packages/server/src/alarms/open-alarms.ts'
import { tendAlarms } from '../../packages/server/src/alarms/tend-alarms.ts'
import { serviceCaller } from '../../packages/server/src/store/caller.ts'
import { heldDoor } from '../doors/house.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

beforeAll(async () => {
  w = owned.use(await world())
  tenant = await w.tenant()
})
afterAll(() => owned.disposeAsync())

async function addDoor() {
  const { client } = tenant
  const site = await client.sites.create({ name: 'House', timezone: 'Europe/Madrid' })
  const device = await client.devices.create({ name: 'Box', site_id: site.id, product_id: 'controller' })
  const gadget = await client.gadgets.create({ name: 'Door', device_id: device.id, ...heldDoor })
  const condition_key = conditionKey('door_held', gadget.id)
  const author = () => ({ caller: serviceCaller(tenant.organization_id), now: w.clock.now() })
  const { context } = w.server
  return {
    site,
    device,
    gadget,
    begin: (started_at = w.clock.now(), more: Partial<Condition> = {}) =>
      context.db.transaction(db =>
        openAlarm(db, author(), {
          type: 'door_held',
          condition_key,
          gadget_id: gadget.id,
          started_at,
          ...more,
        }),
      ),
    end: (ended_at = w.clock.now()) =>
      context.db.transaction(db => endAlarm(db, author(), condition_key, ended_at)),
    alarms: async () => (await client.alarms.list({ gadget_id: gadget.id })).data,
    told: async () => {
      const { data } = await client.events.list({
        'object.gadget_id': gadget.id,
        'object.type': 'alarm',
        limit: 100,
      })
      return data.map(({ object, verb }) => (verb === 'create' ? 'created' : object.reason)).reverse()
    },
  }
}

const tend = () => tendAlarms(w.server.context)

test('a condition is one alarm, however often and from however many it is told', async () => {
  const { gadget, device, site, begin, end, alarms, told } = await addDoor()
  const at = w.clock.now()
  await Promise.all(Array.from({ length: 8 }, () => begin(at)))
  await begin(at)
  expect(await alarms()).toMatchObject([
    {
      type: 'door_held',
      severity: 'warning',
      state: 'open',
      is_over: false,
      site_id: site.id,
      device_id: device.id,
      gadget_id: gadget.id,
      started_at: at,
      occurrence_count: 1,
      alarm_rule_ids: [],
      cause_alarm_id: null,
    },
  ])
  const ended_at = w.clock.now()
  await Promise.all(Array.from({ length: 8 }, () => end(ended_at)))
  // What is known is told again, as after a crash: nothing changes.
  await begin(at)
  expect(await alarms()).toMatchObject([{ is_over: true, ended_at, state: 'open', occurrence_count: 1 }])
  expect(await told()).toEqual(['created', 'ended'])
})

test('what begins again within 5 minutes of its end is the same alarm, also after it was closed', async () => {
  const { begin, end, alarms, told } = await addDoor()
  await begin()
  await end()
  const [first] = await alarms()
  await tenant.client.alarms.close(first?.id ?? '', {})
  w.clock.advance(299)
  await begin()
  expect(await alarms()).toMatchObject([
    { id: first?.id, state: 'open', is_over: false, occurrence_count: 2 },
  ])
  expect(await told()).toEqual(['created', 'ended', 'closed', 'reopened'])
  await end()
  await tenant.client.alarms.close(first?.id ?? '', {})
  w.clock.advance(302)
  await begin()
  expect(await alarms()).toMatchObject([{ occurrence_count: 1 }, { id: first?.id, occurrence_count: 2 }])
})

test('what nobody has dealt with stays one alarm', async () => {
  const { begin, end, alarms } = await addDoor()
  await begin()
  await end()
  w.clock.advance(7200)
  await begin()
  expect(await alarms()).toMatchObject([{ state: 'open', is_over: false, occurrence_count: 2 }])
})

test('more than 5 openings in 10 minutes are told once, until it is quiet', async () => {
  const { begin, end, alarms, told } = await addDoor()
  for (let count = 0; count < 9; count++) {
    await begin()
    w.clock.advance(20)
    await end()
    w.clock.advance(20)
  }
  expect(await alarms()).toMatchObject([{ is_flapping: true, is_over: false, occurrence_count: 9 }])
  const turns = ['created', ...Array.from({ length: 5 }, () => ['ended', 'reopened']).flat()]
  expect(await told()).toEqual(turns)
  w.clock.advance(578)
  await tend()
  expect(await alarms()).toMatchObject([{ is_flapping: true }])
  w.clock.advance(3)
  await tend()
  expect(await alarms()).toMatchObject([{ is_flapping: false, is_over: true }])
  expect(await told()).toEqual([...turns, 'ended'])
})

test('a flapping alarm that somebody closed or took, and begins again, is news', async () => {
  const { begin, end, alarms, told } = await addDoor()
  const flap = async () => {
    for (let count = 0; count < 6; count++) {
      await begin()
      w.clock.advance(10)
      await end()
      w.clock.advance(10)
    }
    expect(await alarms()).toMatchObject([{ is_flapping: true, is_over: false }])
    return (await alarms())[0]?.id ?? ''
  }
  const id = await flap()
  const before = (await told()).length
  await tenant.client.alarms.close(id, {})
  expect(await alarms()).toMatchObject([
    { state: 'closed', is_flapping: false, is_over: true, ended_at: expect.any(String) },
  ])
  await begin()
  expect(await alarms()).toMatchObject([{ id, state: 'open', is_flapping: false, is_over: false }])
  // Two of them have the same time.
  expect((await told()).slice(before).sort()).toEqual(['closed', 'ended', 'reopened'])
  await end()
  w.clock.advance(60)

  await flap()
  await tenant.client.alarms.acknowledge(id, {})
  w.clock.advance(301)
  await begin()
  expect(await alarms()).toMatchObject([{ id, state: 'open', is_flapping: true }])
  expect((await told()).slice(-2)).toEqual(['acknowledged', 'reopened'])
})

test('openings that are further apart do not flap', async () => {
  const { begin, end, alarms } = await addDoor()
  for (let count = 0; count < 9; count++) {
    await begin()
    await end()
    w.clock.advance(121)
  }
  expect(await alarms()).toMatchObject([{ is_flapping: false, is_over: true, occurrence_count: 9 }])
})

test('an acknowledged alarm closes when it is over, as its rules say', async () => {
  const { client } = tenant
  const { gadget, begin, end, alarms, told } = await addDoor()
  const target = await client.notification_targets.create({
    name: 'Doors',
    kind: 'ntfy',
    url: 'https://ntfy.example',
    topic: 'doors',
  })
  await client.alarm_rules.create({
    name: 'Held',
    types: ['door_held'],
    targets: { gadget_ids: [gadget.id] },
    severity: 'critical',
    auto_close_seconds: 60,
    notify: [{ notification_target_id: target.id }],
  })
  await begin()
  const [alarm] = await alarms()
  expect(alarm).toMatchObject({ severity: 'critical', alarm_rule_ids: [expect.any(String)] })
  await client.alarms.acknowledge(alarm?.id ?? '', {})
  await end()
  w.clock.advance(59)
  await tend()
  expect(await alarms()).toMatchObject([{ state: 'acknowledged' }])
  w.clock.advance(2)
  await tend()
  expect(await alarms()).toMatchObject([{ state: 'closed' }])
  expect(await told()).toEqual(['created', 'acknowledged', 'ended', 'closed'])
})

test('a snooze of an alarm that is over keeps it until the snooze ends', async () => {
  const { begin, end, alarms } = await addDoor()
  await begin()
  await end()
  const [alarm] = await alarms()
  await tenant.client.alarms.snooze(alarm?.id ?? '', { until: addSeconds(w.clock.now(), 600) })
  w.clock.advance(590)
  await tend()
  expect(await alarms()).toMatchObject([{ state: 'acknowledged', is_over: true }])
  await tenant.client.alarms.snooze(alarm?.id ?? '', { until: addSeconds(w.clock.now(), 600) })
  w.clock.advance(590)
  await tend()
  expect(await alarms()).toMatchObject([{ state: 'acknowledged' }])
  w.clock.advance(11)
  await tend()
  expect(await alarms()).toMatchObject([{ state: 'closed' }])
})

test('a rule that changes has only what waits for it looked at again', async () => {
  const { client, organization_id } = tenant
  const { context } = w.server
  const { gadget, device } = await addDoor()
  const rule = await client.alarm_rules.create({
    name: 'Held for long',
    types: ['door_held'],
    targets: { gadget_ids: [gadget.id] },
    delay_seconds: 3600,
    notify: [{ role: 'owner' }],
  })
  await tend()
  const started_at = w.clock.now()
  const conditionOf = (type: 'door_held' | 'device_power_lost', id: string): Condition => ({
    type,
    condition_key: conditionKey(type, id),
    started_at,
  })
  const held = { ...conditionOf('door_held', gadget.id), gadget_id: gadget.id }
  const power = { ...conditionOf('device_power_lost', device.id), device_id: device.id }
  const author = { caller: serviceCaller(organization_id), now: started_at }
  await context.db.transaction(db => beginConditions(db, author, [held, power]))
  const seconds = (at: string) => (Date.parse(at) - Date.parse(started_at)) / 1000
  const waits = async () => {
    const rows = await context.db.query<{ kind: string; key: string; due_at: string }>(
      `SELECT kind, key, due_at FROM alarm_timers WHERE key = ANY($1) OR kind = 'rule' ORDER BY key`,
      [[held.condition_key, power.condition_key]],
    )
    return rows.map(({ kind, key, due_at }) => [kind === 'begin' ? key.split(':')[0] : kind, seconds(due_at)])
  }
  w.clock.advance(1)
  await client.alarm_rules.edit(rule.id, { name: 'Held', notify: [{ role: 'administrator' }] })
  expect(await waits()).toEqual([
    ['device_power_lost', 60],
    ['door_held', 3600],
  ])
  await client.alarm_rules.edit(rule.id, { delay_seconds: 600 })
  await tend()
  expect(await waits()).toMatchObject([
    ['device_power_lost', 60],
    ['door_held', expect.closeTo(1, 0)],
  ])
  await tend()
  expect(await waits()).toEqual([
    ['device_power_lost', 60],
    ['door_held', 600],
  ])
})
