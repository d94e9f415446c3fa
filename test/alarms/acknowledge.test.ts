import { addSeconds } from '@gatehouse-access/core'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openHouse } from '../doors/house.ts'
import { neverId } from '../properties/one-of-each.ts'
import { plantAlarm } from '../properties/plant-alarms.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

beforeAll(async () => {
  w = owned.use(await world())
})
beforeEach(async () => {
  tenant = await w.tenant()
})
afterAll(() => owned.disposeAsync())

const places = { site: neverId('site'), device: neverId('device'), gadget: neverId('gadget') }
let count = 0

/** An alarm about something else than all others. */
async function raise(more: object = {}): Promise<string> {
  const condition_key = `door_held:${count++}`
  const alarm = await plantAlarm(w.server.context, tenant.organization_id, places, { condition_key, ...more })
  return alarm.id
}

function refused(field: string, words: RegExp) {
  return expect.objectContaining({ args: { field }, message: expect.stringMatching(words) })
}

async function reasons(): Promise<(string | null | undefined)[]> {
  const { data } = await tenant.client.events.list({ 'object.type': 'alarm', sort: 'recorded_at:asc' })
  return data.map(({ verb, object }) => (verb === 'create' ? verb : object.reason))
}

test('an alarm is acknowledged, closed and opened again, each once, and events say which', async () => {
  const { alarms } = tenant.client
  const id = await raise()
  const taken = await alarms.acknowledge(id, { note: 'On my way' })
  expect(taken).toMatchObject({ state: 'acknowledged', note: 'On my way', is_over: false })
  expect(taken.acknowledged_at).not.toBeNull()
  expect(await alarms.acknowledge(id, {})).toEqual(taken)
  const closed = await alarms.close(id, {})
  expect(closed).toMatchObject({ state: 'closed', acknowledged_at: taken.acknowledged_at })
  expect(await alarms.close(id, {})).toEqual(closed)
  await expect(alarms.acknowledge(id, {})).rejects.toEqual(refused('state', /is closed/))
  await expect(alarms.snooze(id, { until: addSeconds(w.clock.now(), 60) })).rejects.toEqual(
    refused('state', /is closed/),
  )
  const opened = await alarms.reopen(id)
  expect(opened).toMatchObject({ state: 'open', acknowledged_at: null, note: 'On my way' })
  expect(await alarms.reopen(id)).toEqual(opened)
  expect(await alarms.get(id)).toEqual(opened)
  expect(await reasons()).toEqual(['create', 'acknowledged', 'closed', 'reopened'])
})

test('an alarm of which there is a newer one is not opened again', async () => {
  const { alarms } = tenant.client
  const id = await raise({ condition_key: 'door_held:same' })
  await alarms.close(id, {})
  const newer = await raise({ condition_key: 'door_held:same' })
  await expect(alarms.reopen(id)).rejects.toEqual(refused('state', new RegExp(newer)))
  await alarms.close(newer)
  const { answer } = await beginAgain(() => alarms.reopen(id))
  await expect(answer).rejects.toEqual(refused('state', /another alarm/))
  expect(await alarms.get(id)).toMatchObject({ state: 'closed' })
})

/** Asks while the condition begins again. Returns the answer once it has. */
function beginAgain<T>(ask: () => Promise<T>): Promise<{ answer: Promise<T> }> {
  const { context } = w.server
  return context.db.transaction(async db => {
    await plantAlarm(context, tenant.organization_id, places, { condition_key: 'door_held:same' }, db)
    const answer = ask()
    answer.catch(() => {})
    await expect.poll(() => context.db.query(waiting)).toHaveLength(1)
    return { answer }
  })
}

const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%UPDATE alarms%'`

test('a snooze acknowledges for a while, which lies ahead and is not too long', async () => {
  const { alarms } = tenant.client
  const id = await raise()
  const until = addSeconds(w.clock.now(), 600)
  expect(await alarms.snooze(id, { until })).toMatchObject({ state: 'acknowledged', snoozed_until: until })
  for (const days of [-1, 7.01])
    await expect(alarms.snooze(id, { until: addSeconds(w.clock.now(), days * 86_400) })).rejects.toEqual(
      refused('until', days < 0 ? /future/ : /at most 7 days/),
    )
  expect(await reasons()).toEqual(['create', 'snoozed'])
})

test('several are acknowledged at once, all or none', async () => {
  const { alarms } = tenant.client
  const [open, closed] = [await raise(), await raise()]
  await alarms.close(closed, {})
  const stranger = neverId('alarm')
  await expect(alarms.acknowledge_many({ alarm_ids: [open, stranger] })).rejects.toEqual(
    refused('alarm_ids.1', /there is no alarm/),
  )
  expect((await alarms.get(open)).state).toBe('open')
  expect(await alarms.acknowledge_many({ alarm_ids: [closed, open] })).toEqual({ alarm_ids: [open] })
  expect(await alarms.acknowledge_many({ alarm_ids: [open] })).toEqual({ alarm_ids: [] })
  expect((await alarms.get(closed)).state).toBe('closed')
})

test('lists begin with what began last, whenever the service learned of it', async () => {
  const { alarms } = tenant.client
  const now = w.clock.now()
  const ids = []
  for (const ago of [60, 7200, 10])
    ids.push(await raise({ started_at: addSeconds(now, -ago), is_late: ago > 900 }))
  const { data } = await alarms.list({})
  expect(data.map(({ id }) => id)).toEqual([ids[2], ids[0], ids[1]])
  const late = await alarms.list({ is_late: true, state: 'open' })
  expect(late.data.map(({ id }) => id)).toEqual([ids[1]])
})

test('devices and sites are in maintenance for a week at most', async () => {
  const { client } = tenant
  const { device_id, site_id } = await openHouse(client, [])
  const until = addSeconds(w.clock.now(), 3600)
  expect(await client.devices.maintenance(device_id, { until })).toMatchObject({ maintenance_until: until })
  expect(await client.sites.maintenance(site_id, { until })).toMatchObject({ maintenance_until: until })
  const { data } = await client.events.list({ 'object.type': 'site', limit: 1 })
  expect(data[0]).toMatchObject({ verb: 'edit', object: { reason: 'maintenance', site_id } })
  expect(await client.devices.maintenance(device_id, { until: null })).toMatchObject({
    maintenance_until: null,
  })
  await expect(
    client.sites.maintenance(site_id, { until: addSeconds(w.clock.now(), 8 * 86_400) }),
  ).rejects.toEqual(refused('until', /at most 7 days/))
})
