import { doorTemplates } from '@gatehouse-access/api'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type HomeBody, Phone } from '../stories/guest.ts'

const phone_number = '+34 910 000 000'
const plan = { name: 'Grey Heron', reason: 'somebody with a knife' }

let w: World
let tenant: Tenant
let house: Awaited<ReturnType<typeof build>>

beforeAll(async () => {
  w = await world()
  w.clock.set('2026-11-17T10:00:00Z')
  tenant = await w.tenant('Hotel Miramar')
  house = await build()
})
afterAll(() => w[Symbol.asyncDispose]())
afterEach(async () => {
  const { data } = await tenant.client.emergencies.list({})
  for (const { id, ended_at } of data) if (!ended_at) await tenant.client.emergencies.end(id, {})
})

async function build() {
  const { client } = tenant
  const site = await client.sites.create({
    name: 'Hotel',
    timezone: 'Europe/Madrid',
    phone: phone_number,
  })
  const device = await client.devices.create({ name: 'C', site_id: site.id, product_id: 'controller' })
  const template = structuredClone(doorTemplates.holdable)
  const actions = [...template.actions, { id: 'leave', name: 'Leave' }]
  const door = { ...template.door, exit_action_ids: ['leave'] }
  const gadget = await client.gadgets.create({
    name: 'Front door',
    device_id: device.id,
    ...template,
    actions,
    door,
  })
  const group = async (name: string) =>
    (await client.member_groups.create({ name, permissions: [{ site_id: site.id }] })).id
  return {
    site: site.id,
    device: device.id,
    door: gadget.id,
    guests: await group('Guests'),
    staff: await group('Staff'),
  }
}

async function arrive(...member_group_ids: string[]): Promise<{ id: string; phone: Phone }> {
  const granted = await tenant.client.grants.create({
    member: {},
    member_group_ids,
    credentials: { magic_link: true, pin: {} },
  } as never)
  const { id, magic_links } = granted as never as { id: string; magic_links: { link: string }[] }
  const phone = new Phone(w)
  await phone.enter(magic_links[0]?.link ?? '')
  return { id, phone }
}

async function lockDown(more: object = {}): Promise<string> {
  const made = await tenant.client.emergency_plans.create({
    name: plan.name,
    type: 'lockdown',
    targets: { site_ids: [house.site] },
    exempt_member_group_ids: [house.staff],
  })
  const { id } = await tenant.client.emergencies.create({
    emergency_plan_id: made.id,
    reason: plan.reason,
    ...more,
  })
  return id
}

async function denials(member_id: string) {
  const { data } = await tenant.client.events.list({
    'object.type': 'access_denial',
    'subject.member_id': member_id,
  })
  return data
}

/** Everything that the member API answers this guest. */
async function everyAnswer(phone: Phone): Promise<string> {
  const answers: unknown[] = [(await phone.open(house.door)).body]
  for (const path of ['/me', '/home', '/sites', '/gadgets', '/pins'])
    answers.push((await phone.ask('GET', path)).body)
  answers.push((await phone.ask('POST', `/gadgets/${house.door}/actions/hold`, {})).body)
  answers.push((await phone.ask('POST', `/devices/${house.device}/passes`, {})).body)
  answers.push(await (await fetch(`${w.url}/member/v1/openapi.json`)).json())
  return JSON.stringify(answers)
}

async function waysOf(phone: Phone) {
  const { body } = await phone.ask<HomeBody>('GET', '/home')
  const action = body.gadgets[0]?.actions.find(({ id }) => id === 'open')
  return action?.ways.map(({ is_allowed, next_allowed_at, reason }) => [is_allowed, next_allowed_at, reason])
}

const closed = { status: 403, body: { type: 'permission_denied', args: { reason: 'door_closed' } } }

test('in a lockdown a guest hears that the door is closed, and nothing else', async () => {
  const { id, phone } = await arrive(house.guests)
  expect((await phone.open(house.door)).status).toBe(200)
  const emergency = await lockDown({ ends_at: '2026-11-17T12:00:00Z' })
  const { body, status } = await phone.open(house.door)
  expect({ status, body }).toMatchObject(closed)
  expect(body.args).toEqual({ reason: 'door_closed' })
  expect(new Set((await waysOf(phone))?.map(way => way.join()))).toEqual(new Set(['false,,door_closed']))
  const told = await everyAnswer(phone)
  expect(told.includes('door_closed')).toBe(true)
  for (const secret of ['lockdown', 'supervisor', emergency, '"ep_', plan.name, plan.reason, '12:00'])
    expect([secret, told.toLowerCase().includes(secret.toLowerCase())]).toEqual([secret, false])
  // The event keeps the truth, and so does an application hear it.
  expect((await denials(id))[0]).toMatchObject({
    object: { reason: 'lockdown', gadget_id: house.door },
    explanation: {
      reason: 'lockdown',
      next_allowed_at: '2026-11-17T12:00:00.000000Z',
      door: { mode: 'lockdown', source: 'emergency', emergency_ids: [emergency] },
    },
  })
  await expect(
    tenant.client.gadgets.execute_as_member(house.door, 'open', { member_id: id }),
  ).rejects.toMatchObject({ status: 403, args: { reason: 'lockdown' } })
})

test('whoever is exempt opens, everybody leaves, and after the end all is as before', async () => {
  const guest = await arrive(house.guests)
  const staff = await arrive(house.staff)
  const emergency = await lockDown()
  expect((await staff.phone.open(house.door)).status).toBe(200)
  expect((await guest.phone.ask('POST', `/gadgets/${house.door}/actions/leave`, {})).status).toBe(200)
  expect((await guest.phone.open(house.door)).status).toBe(403)
  await tenant.client.emergencies.end(emergency, {})
  expect((await guest.phone.open(house.door)).status).toBe(200)
  expect(await denials(guest.id)).toMatchObject([{ explanation: { door: { emergency_ids: [emergency] } } }])
})

test('a door that waits for its first person looks the same to a guest', async () => {
  const { id, phone } = await arrive(house.guests)
  const ranges = [{ start: 0, end: 86_400 }]
  const schedule = await tenant.client.schedules.create({
    name: 'Always',
    weekdays: Array.from({ length: 7 }, () => ({ ranges })),
  })
  const rule = await tenant.client.unlock_rules.create({
    name: 'Shop',
    site_id: house.site,
    gadget_ids: [house.door],
    schedule_id: schedule.id,
    first_person: { member_group_ids: [house.staff], early_seconds: 0, before: 'closed' },
  })
  const waiting = await phone.open(house.door)
  expect(waiting).toMatchObject(closed)
  expect((await denials(id))[0]).toMatchObject({
    object: { reason: 'supervisor_absent' },
    explanation: { door: { mode: 'controlled', unlock_rule_id: rule.id } },
  })
  const ways = await waysOf(phone)
  await tenant.client.unlock_rules.delete(rule.id)
  await lockDown()
  const locked = await phone.open(house.door)
  expect(locked.body.args).toEqual(waiting.body.args)
  expect(await waysOf(phone)).toEqual(ways)
})
