import { doorTemplates } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { wordsOf } from '../../packages/web/console/src/events/words.ts'
import { eventExpands, type LiveEvent } from '../../packages/web/console/src/live/stream.ts'
import { openTellings } from '../alarms/tellings.ts'

let w: World
let tenant: Tenant

beforeAll(async () => {
  w = await world()
  tenant = await w.tenant()
})
afterAll(() => w[Symbol.asyncDispose]())

/** Returns the newest event, in the console's words. */
async function latest(): Promise<string> {
  const { data } = await tenant.client.events.list({ limit: 1, expand: eventExpands })
  return sentenceOf(data[0] as unknown as LiveEvent)
}

/** Returns the newest event with this reason. Doors tell what they did on their own, in between. */
async function found(reason: string | null, type?: 'emergency' | 'emergency_plan'): Promise<string> {
  const { data } = await tenant.client.events.list({
    limit: 20,
    expand: eventExpands,
    ...(type && { 'object.type': type }),
  })
  const event = data.find(({ object }) => (object.reason ?? null) === reason)
  return sentenceOf(event as unknown as LiveEvent)
}

function sentenceOf(event: LiveEvent): string {
  const { who, did, what } = wordsOf(event)
  const doer = who.name === 'Test organization integration' ? 'It' : who.name
  return [doer, did, what?.name].filter(Boolean).join(' ')
}

test('what is added, deleted and restored is named', async () => {
  const { client } = tenant
  const { id } = await client.members.create({ name: 'Anna' })
  expect(await latest()).toBe('It added the member Anna')
  const email = await client.member_emails.create(id, { email: 'anna@example.com' })
  expect(await latest()).toBe('It added the email anna@example.com of Anna')
  await client.member_emails.delete(id, email.id)
  expect(await latest()).toBe('It deleted the email anna@example.com of Anna')
  await client.member_emails.edit(id, email.id, { is_deleted: false })
  expect(await latest()).toBe('It restored the email anna@example.com of Anna')
  const group = await client.member_groups.create({ name: 'Guests' })
  await client.member_group_associations.create(id, { member_group_id: group.id })
  expect(await latest()).toBe('It added the membership in Guests of Anna')
  await client.members.delete(id)
  await client.members.edit(id, { is_deleted: false })
  const { data } = await client.events.list({ 'object.type': 'member', limit: 1 })
  expect(data[0]).toMatchObject({ verb: 'edit', object: { reason: 'restored' } })
})

test('a device that went offline, or went online, is told so', async () => {
  const { client } = tenant
  const site = await client.sites.create({ name: 'Office', timezone: 'UTC' })
  const device = await client.devices.create({ site_id: site.id, name: 'Door unit', product_id: 'keypad' })
  await client.devices.simulate(device.id, { network: 'offline' })
  expect(await latest()).toBe('Door unit went offline')
  await client.devices.simulate(device.id, { network: 'online' })
  expect(await latest()).toBe('Door unit went online')
})

test('actions, states and signals are named in quotation marks', async () => {
  const { client } = tenant
  const site = await client.sites.create({ name: 'Garden', timezone: 'UTC' })
  const device = await client.devices.create({ site_id: site.id, name: 'Relay', product_id: 'controller' })
  const gadget = await client.gadgets.create({
    name: 'Lamp',
    device_id: device.id,
    actions: [{ id: 'light', name: 'Light up' }],
  })
  await client.gadgets.run_action(gadget.id, 'light')
  const { data } = await client.events.list({
    'object.type': 'gadget_action',
    limit: 1,
    expand: eventExpands,
  })
  expect(sentenceOf(data[0] as unknown as LiveEvent)).toBe('It ran “Light up” on Lamp')
})

test('what happens to calendars and their days is named', async () => {
  const { client } = tenant
  const { id } = await client.calendars.create({ name: 'Own days' })
  expect(await latest()).toBe('It added the calendar Own days')
  await client.calendar_days.create(id, { starts_on: '2027-03-15', name: 'Founders’ day' })
  expect(await latest()).toBe('It added the day Founders’ day of the calendar Own days')
})

test('what sets the mode of doors is told: rules, plans, emergencies and drills', async () => {
  const { client } = tenant
  const site = await client.sites.create({ name: 'Museum', timezone: 'UTC' })
  const site_id = site.id
  const device = await client.devices.create({ site_id, name: 'Box', product_id: 'controller' })
  const { actions, states, signals, door } = doorTemplates.holdable
  const gadget = await client.gadgets.create({
    name: 'Hall',
    device_id: device.id,
    actions: [...actions],
    states: [...states],
    signals: [...signals],
    door,
  })
  await client.gadgets.mode(gadget.id, { mode: 'unlocked', lasts: 'indefinitely' })
  expect(await found('mode_set')).toBe('It unlocked Hall')
  await client.gadgets.mode(gadget.id, { mode: 'controlled' })
  expect(await found('mode_set')).toBe('It locked Hall')
  await client.gadgets.mode(gadget.id, { mode: 'scheduled' })
  expect(await found('mode_set')).toBe('It reset the mode of Hall')
  const plan = await client.emergency_plans.create({
    name: 'Close',
    type: 'lockdown',
    targets: { site_ids: [site_id] },
  })
  expect(await found(null, 'emergency_plan')).toBe('It added the emergency plan Close')
  const first = await client.emergencies.create({ emergency_plan_id: plan.id })
  expect(await found(null, 'emergency')).toBe('It started the emergency Close')
  await client.emergencies.end(first.id, {})
  expect(await found('ended', 'emergency')).toBe('It ended the emergency Close')
  const drill = await client.emergencies.create({ emergency_plan_id: plan.id, is_drill: true })
  expect(await found(null, 'emergency')).toBe('It started the drill Close')
  await client.emergencies.end(drill.id, {})
})

test('an alarm is told by what and where, and then by what became of it; maintenance by whom', async () => {
  const { client } = tenant
  const { doors, device_id, begin, end } = await openTellings(w, tenant, ['Front door'])
  await begin('door_held')
  expect(await latest()).toBe('Door held open at Front door')
  const [alarm] = (await client.alarms.list({ gadget_id: doors[0] as string })).data
  await client.alarms.edit(alarm?.id as string, { note: 'A delivery.' })
  expect(await latest()).toBe('It changed the note of “Door held open”')
  await client.alarms.snooze(alarm?.id as string, { until: addSeconds(w.clock.now(), 60) })
  expect(await latest()).toBe('It snoozed “Door held open”')
  await end('door_held')
  expect(await latest()).toBe('“Door held open” is over')
  await client.devices.maintenance(device_id, { until: addSeconds(w.clock.now(), 60) })
  expect(await latest()).toBe('It changed the maintenance of Box')
})

test('an alarm that is at no door is told by its name', () => {
  const event = {
    verb: 'create',
    subject: {},
    object: { type: 'alarm' },
    object_alarm: { type: 'emergency_started' },
  }
  expect(sentenceOf(event as unknown as LiveEvent)).toBe('An alarm began: “Emergency started”')
})
