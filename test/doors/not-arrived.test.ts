import { quickest, slowness, type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { wholeDoor } from './wired-building.ts'

/** Acceptance 2 of door modes: a lockdown that did not reach a controller. */
const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

beforeAll(async () => {
  w = owned.use(await world({ delivery: true }))
  tenant = await w.tenant()
})
afterAll(() => owned.disposeAsync())

/** A virtual controller with one door, which its own member opens. */
async function addVirtual(site_id: string, number: number) {
  const { client } = tenant
  const name = `Door ${number}`
  const device = await client.devices.create({ name, site_id, product_id: 'controller' })
  const gadget = await client.gadgets.create({ name, device_id: device.id, ...wholeDoor })
  const group = await client.member_groups.create({ name, permissions: [{ gadget_id: gadget.id }] })
  const member = await client.members.create({ name })
  await client.member_group_associations.create(member.id, { member_group_id: group.id })
  const uid = `04A1B2C3D4E5F${number}`
  await client.member_cards.create(member.id, { uid })
  const tap = async () => {
    const { events } = await client.devices.simulate(device.id, { card: { uid } })
    return events.filter(({ type }) => type === 'use' || type === 'denial')
  }
  return { device, gadget, member, tap }
}

test('a door that a lockdown has not reached is not locked down, and the service says so', async () => {
  const { client } = tenant
  const site = await client.sites.create({ name: 'School', timezone: 'Europe/Madrid' })
  const doors = [await addVirtual(site.id, 1), await addVirtual(site.id, 2), await addVirtual(site.id, 3)]
  const [first, , third] = doors as [(typeof doors)[number], unknown, (typeof doors)[number]]
  expect(await first.tap()).toMatchObject([{ type: 'use' }])
  await client.devices.simulate(third.device.id, { network: 'offline' })
  const plan = await client.emergency_plans.create({
    name: 'Lockdown',
    type: 'lockdown',
    targets: { site_ids: [site.id] },
  })

  // It is answered once it is committed, and never after the doors. Drills before it: a busy machine only adds time.
  const limit = 200 * slowness()
  const answered = await quickest(limit, async () => {
    const begun = performance.now()
    const drill = await client.emergencies.create({ emergency_plan_id: plan.id, is_drill: true })
    const took = performance.now() - begun
    await client.emergencies.end(drill.id, {})
    return took
  })
  expect(answered).toBeLessThan(limit)
  const emergency = await client.emergencies.create({ emergency_plan_id: plan.id })
  expect(emergency).toMatchObject({ arrival: 'pending', gadget_count: 3 })
  await expect.poll(async () => (await client.emergencies.get(emergency.id)).confirmed_gadget_count).toBe(2)
  const states = async () => {
    const { data } = await client.emergencies.doors(emergency.id, {})
    return doors.map(({ gadget }) => data.find(({ gadget_id }) => gadget_id === gadget.id))
  }
  expect(await states()).toMatchObject([
    { state: 'confirmed' },
    { state: 'confirmed' },
    { state: 'offline', offline_since: expect.any(String) },
  ])
  expect((await client.gadgets.get(first.gadget.id)).mode).toMatchObject({
    effective: 'lockdown',
    is_confirmed: true,
    emergency_ids: [emergency.id],
  })
  expect((await client.gadgets.get(third.gadget.id)).mode).toMatchObject({ is_confirmed: false })
  expect(await first.tap()).toMatchObject([{ type: 'denial', reason: 'lockdown' }])

  // The control: without the service, the door opens. The event says so later.
  expect(await third.tap()).toMatchObject([{ type: 'use' }])
  await client.devices.simulate(third.device.id, { network: 'online' })
  expect(await third.tap()).toMatchObject([{ type: 'denial', reason: 'lockdown' }])
  const used = await client.events.list({ 'object.gadget_id': third.gadget.id, verb: 'use' })
  expect(used.data).toMatchObject([{ subject: { member_id: third.member.id } }])
  expect(await states()).toMatchObject(doors.map(() => ({ state: 'confirmed' })))
  expect(await client.emergencies.get(emergency.id)).toMatchObject({ arrival: 'applied' })

  await client.emergencies.end(emergency.id, {})
  expect(await third.tap()).toMatchObject([{ type: 'use' }])
  await expect
    .poll(async () => (await client.gadgets.get(first.gadget.id)).mode)
    .toMatchObject({ effective: 'controlled', is_confirmed: true })
  const turns = await client.events.list({
    'object.gadget_id': first.gadget.id,
    'object.type': 'gadget_mode',
  })
  expect(turns.data.map(({ object }) => object.mode)).toEqual(
    expect.arrayContaining(['controlled', 'lockdown']),
  )
})
