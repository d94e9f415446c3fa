import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { guest } from '../devices/building.ts'
import { ScriptedDevice } from '../devices/scripted-device.ts'
import { always, wiredBuilding } from './wired-building.ts'

const owned = new AsyncDisposableStack()
let w: World

beforeAll(async () => {
  w = owned.use(await world({ delivery: true }))
})
afterAll(() => owned.disposeAsync())

async function connect(credentials: Parameters<typeof ScriptedDevice.connect>[0]): Promise<ScriptedDevice> {
  const device = await ScriptedDevice.connect(credentials)
  await device.until(({ policy }) => policy !== undefined)
  return device
}

/** Two doors, each with a controller that is connected. */
async function twoDoors(tenant: Tenant) {
  const place = await wiredBuilding(w, tenant, 2)
  const [here, there] = place.doors as [(typeof place.doors)[number], (typeof place.doors)[number]]
  return {
    ...place,
    here,
    there,
    near: await connect(here.credentials),
    far: await connect(there.credentials),
  }
}

test('a door is confirmed by its own device, and by no other', async () => {
  const tenant = await w.tenant()
  const { client } = tenant
  const { far, here, near, site } = await twoDoors(tenant)
  const emergency = await client.emergencies.create({ type: 'lockdown', targets: { site_ids: [site.id] } })
  await near.until(() => near.slice.emergencies.has(emergency.id))
  const told = (device: ScriptedDevice, outcome: 'done' | 'failed') =>
    device.send({
      type: 'doors',
      device_id: device.device_id,
      version: device.policy?.version ?? 1,
      doors: [
        {
          gadget_id: here.door.id,
          mode: 'lockdown',
          source: 'emergency',
          emergency_ids: [emergency.id],
          outcome,
        },
      ],
    })
  await far.until(() => far.slice.emergencies.has(emergency.id))
  told(far, 'done')
  told(near, 'failed')
  const stateOf = async () => {
    const { data } = await client.emergencies.doors(emergency.id, {})
    return data.find(({ gadget_id }) => gadget_id === here.door.id)?.state
  }
  await expect.poll(stateOf).toBe('failed')
  told(near, 'done')
  await expect.poll(stateOf).toBe('confirmed')
  expect(await client.emergencies.get(emergency.id)).toMatchObject({
    gadget_count: 2,
    confirmed_gadget_count: 1,
  })
  await near.close()
  await far.close()
})

test('a panic button without a network starts the plan everywhere, once it is told', async () => {
  const tenant = await w.tenant()
  const { client } = tenant
  const { far, here, near, site } = await twoDoors(tenant)
  const plan = await client.emergency_plans.create({
    name: 'Panic',
    type: 'lockdown',
    targets: { site_ids: [site.id] },
    trigger: { gadget_id: here.door.id, signal_id: 'panic' },
  })
  await near.until(() => near.slice.emergency_plans.has(plan.id))
  expect(far.slice.emergency_plans.size).toBe(0)
  const pressed = {
    type: 'emergency',
    action: 'start',
    occurred_at: w.clock.now(),
    emergency_plan_id: plan.id,
    gadget_id: here.door.id,
    signal_id: 'panic',
  } as const
  near.events([
    { ...pressed, local_id: 'local-0001' },
    { ...pressed, local_id: 'local-0002' },
  ])
  await far.until(() => far.slice.emergencies.size === 1)
  const { data } = await client.emergencies.list({})
  expect(data).toMatchObject([{ emergency_plan_id: plan.id, is_active: true }])
  // The button is not at this device: it must not start anything.
  await client.emergencies.end(data[0]?.id ?? '', {})
  await far.until(() => far.slice.emergencies.size === 0)
  far.events([{ ...pressed, gadget_id: here.door.id, signal_id: 'last', local_id: 'local-0003' }])
  await far.next('ack')
  expect((await client.emergencies.list({ is_active: true })).data).toEqual([])
  await near.close()
  await far.close()
})

test('who comes first and who leaves last is told to all doors of the rule', async () => {
  const tenant = await w.tenant()
  const { client } = tenant
  const { far, guards, here, near, site, staff, there } = await twoDoors(tenant)
  const schedule = await client.schedules.create({ name: 'Always', weekdays: always })
  const rule = await client.unlock_rules.create({
    name: 'Lobby',
    site_id: site.id,
    gadget_ids: [here.door.id, there.door.id],
    schedule_id: schedule.id,
    first_person: { member_group_ids: [guards.id], early_seconds: 0, before: 'controlled' },
    last_person_signal: { gadget_id: here.door.id, signal_id: 'last' },
  })
  await client.member_groups.edit(guards.id, { permissions: [{ site_id: site.id }] })
  const [guard, other] = [await guest(tenant, guards.id, '402917'), await guest(tenant, staff.id, '502917')]
  await near.until(() => near.slice.members.size === 2)
  const used = ({ member, pin }: typeof guard) =>
    ({
      type: 'use',
      occurred_at: w.clock.now(),
      access_method: 'pin',
      gadget_id: here.door.id,
      action_id: 'open',
      member_id: member.id,
      credential_id: pin.id,
    }) as const
  near.events([used(other)])
  near.events([used(guard)])
  const rowAt = (device: ScriptedDevice) =>
    device.slice.unlock_rules.get(rule.id) as { arrivals?: string[]; departures?: string[] }
  await far.until(() => rowAt(far)?.arrivals?.length === 1)
  w.clock.advance(5)
  near.events([used(guard)])
  near.events([{ type: 'signal', occurred_at: w.clock.now(), gadget_id: here.door.id, signal_id: 'last' }])
  await far.until(() => rowAt(far)?.departures?.length === 1)
  expect(rowAt(far).arrivals).toHaveLength(1)
  await near.close()
  await far.close()
})

test('modes and fires are events, as the device tells them', async () => {
  const tenant = await w.tenant()
  const { client } = tenant
  const { far, here, near, site } = await twoDoors(tenant)
  await client.sites.edit(site.id, {
    fire: { source_gadget_id: here.door.id, source_state_id: 'open', release_gadget_ids: [] },
  })
  await client.gadgets.mode(here.door.id, { mode: 'unlocked', lasts: 'indefinitely' })
  await near.until(() => near.slice.overrides.has(here.door.id))
  const occurred_at = w.clock.now()
  const unlocked = { gadget_id: here.door.id, mode: 'unlocked', source: 'override', outcome: 'done' } as const
  near.events([
    { type: 'mode', occurred_at, ...unlocked },
    { type: 'fire', occurred_at, site_id: site.id, state: 'on' },
  ])
  // The contact and the door are not its own.
  far.events([
    { type: 'mode', occurred_at, ...unlocked },
    { type: 'fire', occurred_at, site_id: site.id, state: 'cleared' },
  ])
  await near.next('ack')
  await far.next('ack')
  const { data } = await client.events.list({ 'object.type': 'gadget_mode' })
  expect(data).toMatchObject([
    { verb: 'edit', object: { gadget_id: here.door.id, mode: 'unlocked', source: 'override' } },
  ])
  const edits = await client.events.list({ 'object.gadget_id': here.door.id, 'object.type': 'gadget' })
  const set = edits.data.find(({ object }) => object.reason === 'mode_set')
  expect(data[0]?.subject).toEqual(set?.subject)
  expect((await client.sites.get(site.id)).fire).toMatchObject({ since: expect.any(String) })
  expect((await client.sites.get(site.id)).fire?.cleared_at ?? null).toBeNull()
  await near.close()
  await far.close()
})
