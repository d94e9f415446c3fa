import { addSeconds, type DenialReason } from '@gatehouse-access/core'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { conditionKey } from '../../packages/server/src/alarms/condition.ts'
import { openAlarm } from '../../packages/server/src/alarms/open-alarms.ts'
import { followRefresh } from '../../packages/server/src/alarms/sources/calendars.ts'
import { tendAlarms } from '../../packages/server/src/alarms/tend-alarms.ts'
import { disableWebhook } from '../../packages/server/src/delivery/webhooks/failing.ts'
import { serviceCaller } from '../../packages/server/src/store/caller.ts'
import { building } from '../devices/building.ts'
import { ScriptedDevice } from '../devices/scripted-device.ts'
import { wholeDoor } from '../doors/wired-building.ts'
import { settled } from './settled.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

beforeAll(async () => {
  w = owned.use(await world({ delivery: true }))
  tenant = await w.tenant()
})
afterAll(() => owned.disposeAsync())

const tend = () => tendAlarms(w.server.context)

async function makeTarget() {
  const values = { name: 'Doors', kind: 'ntfy', url: 'https://ntfy.example', topic: 'doors' } as const
  return tenant.client.notification_targets.create(values)
}

/** A device whose reader and keypad deny whatever comes. */
async function denying() {
  const place = await building(w, tenant)
  const device = await ScriptedDevice.connect(place.credentials)
  const deny = async (reasons: readonly DenialReason[], seconds = 1) => {
    const denials = reasons.map(reason => {
      w.clock.advance(seconds)
      return {
        type: 'denial' as const,
        occurred_at: w.clock.now(),
        gadget_id: place.door.id,
        action_id: 'open',
        access_method: 'pin' as const,
        reason,
      }
    })
    device.events(denials)
    await device.next('ack')
    await settled(w)
  }
  const types = async () => {
    const { data } = await tenant.client.alarms.list({ device_id: place.device.id })
    return data.map(({ type, is_over, gadget_id }) => ({ type, is_over, gadget_id }))
  }
  return { place, deny, types }
}

const nine = Array.from({ length: 9 }, () => 'unknown_credential' as const)

test('10 denials in 5 minutes at one gadget, or as a rule says', async () => {
  const { place, deny, types } = await denying()
  const often = { type: 'access_denied_often', gadget_id: place.door.id }
  await deny(nine)
  expect(await types()).toEqual([])
  w.clock.advance(300)
  await deny(['unknown_credential'])
  expect(await types()).toEqual([])
  await deny(nine)
  expect(await types()).toMatchObject([{ ...often, is_over: false }])
  w.clock.advance(301)
  await tend()
  expect(await types()).toMatchObject([{ ...often, is_over: true }])

  const other = await denying()
  await tenant.client.alarm_rules.create({
    name: 'Strict',
    types: ['access_denied_often'],
    targets: { device_ids: [other.place.device.id] },
    thresholds: { count: 2, seconds: 60 },
    notify: [{ notification_target_id: (await makeTarget()).id }],
  })
  await other.deny(['unknown_credential', 'unknown_credential'], 61)
  expect(await other.types()).toEqual([])
  await other.deny(['unknown_credential'])
  expect(await other.types()).toMatchObject([{ type: 'access_denied_often', is_over: false }])
})

test('a keypad that pauses', async () => {
  const { deny, types } = await denying()
  await deny(['keypad_paused'])
  expect(await types()).toMatchObject([{ type: 'keypad_paused', is_over: false }])
  w.clock.advance(301)
  await tend()
  expect(await types()).toMatchObject([{ type: 'keypad_paused', is_over: true }])
})

async function addHouse() {
  const { client } = tenant
  const site = await client.sites.create({ name: 'School', timezone: 'Europe/Madrid' })
  const device = await client.devices.create({ name: 'Box', site_id: site.id, product_id: 'controller' })
  const door = await client.gadgets.create({ name: 'Door', device_id: device.id, ...wholeDoor })
  return { site, device, door }
}

test('an emergency is an alarm, and another one while it has not arrived; it explains doors that open', async () => {
  const { client } = tenant
  const { site, device, door } = await addHouse()
  await client.devices.simulate(device.id, { network: 'offline' })
  const emergency = await client.emergencies.create({
    type: 'evacuation',
    targets: { site_ids: [site.id] },
    is_drill: true,
  })
  const alarms = async () => (await client.alarms.list({ emergency_id: emergency.id })).data
  await settled(w)
  await tend()
  expect((await alarms()).map(({ type }) => type).sort()).toEqual([
    'emergency_not_arrived',
    'emergency_started',
  ])
  expect(await alarms()).toMatchObject([
    { severity: 'critical', is_drill: true, is_over: false },
    { severity: 'critical', is_drill: true, is_over: false },
  ])
  const started = (await alarms()).find(({ type }) => type === 'emergency_started')
  await w.server.context.db.transaction(db =>
    openAlarm(
      db,
      { caller: serviceCaller(tenant.organization_id), now: w.clock.now() },
      {
        type: 'door_forced',
        condition_key: conditionKey('door_forced', door.id),
        gadget_id: door.id,
        started_at: w.clock.now(),
      },
    ),
  )
  const { data } = await client.alarms.list({ type: 'door_forced', gadget_id: door.id })
  expect(data).toMatchObject([{ cause_alarm_id: started?.id }])
  await client.devices.simulate(device.id, { network: 'online' })
  w.clock.advance(11)
  await tend()
  expect((await alarms()).find(({ type }) => type === 'emergency_not_arrived')).toMatchObject({
    is_over: true,
  })
  await client.emergencies.end(emergency.id, {})
  await settled(w)
  expect((await alarms()).map(({ is_over }) => is_over)).toEqual([true, true])
})

test('a calendar that was not refreshed for 3 days, until it is', async () => {
  const { client, organization_id } = tenant
  const { id: calendar_id } = await client.calendars.create({ name: 'Holidays' })
  const fresh_at = w.clock.now()
  const attempt = (has_failed: boolean) =>
    w.server.context.db.transaction(db =>
      followRefresh(
        db,
        { caller: serviceCaller(organization_id), now: w.clock.now() },
        { calendar_id, fresh_at, has_failed },
      ),
    )
  const alarms = async () => (await client.alarms.list({ calendar_id })).data
  w.clock.advance(3 * 24 * 3600 - 10)
  await attempt(true)
  expect(await alarms()).toEqual([])
  w.clock.advance(20)
  await attempt(true)
  await attempt(true)
  expect(await alarms()).toMatchObject([{ type: 'calendar_not_refreshed', occurrence_count: 1 }])
  await attempt(false)
  expect(await alarms()).toMatchObject([{ is_over: true }])
})

test('a webhook that the service turns off, until somebody turns it on', async () => {
  const { client, organization_id } = tenant
  const webhook = await client.webhooks.create({
    url: 'https://receiver.example/hook',
    filter: [{ object_type: 'member' }],
  })
  await disableWebhook(w.server.context, { organization_id, webhook_id: webhook.id })
  await settled(w)
  const alarms = async () => (await client.alarms.list({ webhook_id: webhook.id })).data
  expect(await alarms()).toMatchObject([{ type: 'webhook_disabled', is_over: false }])
  await client.webhooks.edit(webhook.id, { is_enabled: true })
  await settled(w)
  expect(await alarms()).toMatchObject([{ is_over: true }])
})

test('rules say how severe and how soon; a snooze ends; what is deleted has no alarms', async () => {
  const { client } = tenant
  const { site, device, door } = await addHouse()
  const rule = await client.alarm_rules.create({
    name: 'Soon',
    types: ['device_offline'],
    targets: { site_ids: [site.id] },
    severity: 'critical',
    delay_seconds: 5,
    notify: [{ notification_target_id: (await makeTarget()).id }],
  })
  const alarms = async () => (await client.alarms.list({ device_id: device.id })).data
  w.clock.advance(200)
  await client.devices.simulate(device.id, { network: 'offline' })
  await settled(w)
  w.clock.advance(4)
  await tend()
  expect(await alarms()).toEqual([])
  w.clock.advance(1)
  await tend()
  const [alarm] = await alarms()
  expect(alarm).toMatchObject({ severity: 'critical', alarm_rule_ids: [rule.id] })
  await client.alarms.snooze(alarm?.id ?? '', { until: addSeconds(w.clock.now(), 600) })
  await settled(w)
  w.clock.advance(601)
  await tend()
  expect(await alarms()).toMatchObject([{ state: 'open', snoozed_until: null, is_over: false }])
  await client.gadgets.delete(door.id)
  await client.devices.delete(device.id)
  await settled(w)
  expect(await alarms()).toMatchObject([{ is_over: true }])
})
