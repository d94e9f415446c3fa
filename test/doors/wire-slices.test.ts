import type { FromService, SliceRow } from '@gatehouse-access/api'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { guest } from '../devices/building.ts'
import { ScriptedDevice } from '../devices/scripted-device.ts'
import { always, wiredBuilding, withoutModes } from './wired-building.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

beforeAll(async () => {
  w = owned.use(await world())
})
afterAll(() => owned.disposeAsync())

async function connect(credentials: Parameters<typeof ScriptedDevice.connect>[0], before?: ScriptedDevice) {
  const device = await ScriptedDevice.connect(credentials, before)
  if (!before) await device.until(({ policy }) => policy !== undefined)
  return device
}

function deltasOf(device: ScriptedDevice): FromService<'delta'>[] {
  return device.received.filter(message => message.type === 'delta')
}

function rowOf<Kind extends 'emergencies' | 'unlock_rules' | 'sites'>(
  device: ScriptedDevice,
  kind: Kind,
  id: string,
): SliceRow<Kind> | undefined {
  return device.slice[kind].get(id) as SliceRow<Kind> | undefined
}

test('a lockdown reaches the devices that it concerns, in a delta of its own, and its end too', async () => {
  tenant = await w.tenant()
  const { client } = tenant
  const { doors, guards, staff } = await wiredBuilding(w, tenant, 2)
  const [here, there] = doors
  if (!here || !there) throw new Error('two doors')
  const guard = await guest(tenant, guards.id, '402917')
  await guest(tenant, staff.id, '502917')
  const plan = await client.emergency_plans.create({
    name: 'Lockdown',
    type: 'lockdown',
    targets: { gadget_ids: [here.door.id] },
    exempt_member_group_ids: [guards.id],
  })
  const device = await connect(here.credentials)
  const other = await connect(there.credentials)
  // Whoever is exempt is known before it starts, although the group grants nothing.
  expect(device.member(guard.member.id)?.associations).toHaveLength(1)
  expect(other.member(guard.member.id)).toBeUndefined()

  const emergency = await client.emergencies.create({ emergency_plan_id: plan.id })
  await device.until(() => device.slice.emergencies.has(emergency.id))
  expect(deltasOf(device)).toHaveLength(1)
  expect(deltasOf(device)[0]?.put).toEqual({
    emergencies: [
      {
        id: emergency.id,
        plan_id: plan.id,
        type: 'lockdown',
        targets: { gadget_ids: [here.door.id] },
        exempt_member_group_ids: [guards.id],
        started_at: emergency.started_at,
        held_until: expect.any(String),
      },
    ],
  })
  await client.emergencies.end(emergency.id, {})
  await device.until(() => device.slice.emergencies.size === 0)
  expect(deltasOf(other)).toHaveLength(0)
  await device.close()
  await other.close()
})

test('who was away hears of what lasts before all else, and never of what has ended', async () => {
  tenant = await w.tenant()
  const { client } = tenant
  const { doors, site, staff } = await wiredBuilding(w, tenant, 1)
  const [{ credentials, door }] = doors as [(typeof doors)[number]]
  const first = await connect(credentials)
  const start = () => client.emergencies.create({ type: 'lockdown', targets: { site_ids: [site.id] } })
  const held = await start()
  await first.until(() => first.slice.emergencies.has(held.id))
  await first.close()
  await client.emergencies.end(held.id, {})
  const missed = await start()
  await client.emergencies.end(missed.id, {})
  const lasting = await start()
  // A change of rules takes a snapshot, one of members a delta: the lockdown comes before both.
  await client.member_groups.edit(staff.id, { permissions: [{ gadget_id: door.id }] })
  await guest(tenant, staff.id, '612917')

  const device = await connect(credentials, first)
  await device.until(() => device.slice.members.size === 1)
  const told = device.received.filter(({ type }) => type === 'delta' || type.startsWith('snapshot'))
  const [delta, begin] = told
  expect(delta).toMatchObject({ type: 'delta', put: { emergencies: [{ id: lasting.id }] } })
  expect(delta).toMatchObject({ remove: { emergencies: expect.arrayContaining([held.id]) } })
  expect(begin).toMatchObject({ type: 'snapshot_begin' })
  const [part] = device.received.filter(message => message.type === 'snapshot_part')
  expect(Object.keys(part?.put ?? {})[0]).toBe('emergencies')
  expect([...device.slice.emergencies.keys()]).toEqual([lasting.id])
  expect(JSON.stringify(told.map(message => ('put' in message ? message.put : {})))).not.toContain(missed.id)
  await device.close()

  // Only a delta is needed: again the end is first.
  await client.emergencies.end(lasting.id, {})
  await guest(tenant, staff.id, '622917')
  const again = await connect(credentials, device)
  await again.until(() => again.slice.members.size === 2)
  expect(deltasOf(again).map(({ remove }) => remove.emergencies?.includes(lasting.id) ?? false)).toEqual([
    true,
    false,
  ])
  expect(again.slice.emergencies.size).toBe(0)
  await again.close()
})

test('rules, overrides and fires are sent with what they need, and removed', async () => {
  tenant = await w.tenant()
  const { client } = tenant
  const { doors, guards, site } = await wiredBuilding(w, tenant, 2)
  const [here, there] = doors as [(typeof doors)[number], (typeof doors)[number]]
  const schedule = await client.schedules.create({ name: 'Always', weekdays: always })
  const rule = await client.unlock_rules.create({
    name: 'Lobby',
    site_id: site.id,
    gadget_ids: [here.door.id, there.door.id],
    schedule_id: schedule.id,
    first_person: { member_group_ids: [guards.id], early_seconds: 600, before: 'closed' },
  })
  const device = await connect(here.credentials)
  expect(rowOf(device, 'unlock_rules', rule.id)).toMatchObject({
    gadget_ids: [here.door.id],
    first_person: { before: 'closed' },
  })
  expect(device.slice.schedules.has(schedule.id)).toBe(true)
  expect(device.slice.groups.has(guards.id)).toBe(true)

  await client.gadgets.mode(here.door.id, { mode: 'unlocked', lasts: 'indefinitely' })
  await device.until(() => device.slice.overrides.has(here.door.id))
  await client.gadgets.mode(there.door.id, { mode: 'controlled', lasts: 'indefinitely' })
  const fire = {
    source_gadget_id: here.door.id,
    source_state_id: 'open',
    release_gadget_ids: [there.door.id],
  }
  await client.sites.edit(site.id, { fire })
  await device.until(() => rowOf(device, 'sites', site.id)?.fire !== undefined)
  expect(rowOf(device, 'sites', site.id)?.fire).toMatchObject({ release_gadget_ids: [] })
  expect(device.slice.overrides.has(there.door.id)).toBe(false)
  await device.close()

  await client.gadgets.mode(here.door.id, { mode: 'scheduled' })
  await client.unlock_rules.delete(rule.id)
  await client.sites.edit(site.id, { fire: null })
  const back = await connect(here.credentials, device)
  await back.until(() => back.slice.unlock_rules.size === 0 && back.slice.overrides.size === 0)
  await back.until(() => rowOf(back, 'sites', site.id)?.fire === undefined)
  await back.close()
})

test('a controller without modes denies too much, never too little, and keeps nobody in', async () => {
  tenant = await w.tenant()
  const { client } = tenant
  const { doors, guards, site, staff } = await wiredBuilding(w, tenant, 1)
  const [
    {
      credentials,
      device: { id: device_id },
      door,
    },
  ] = doors as [(typeof doors)[number]]
  await client.member_groups.edit(guards.id, { permissions: [{ site_id: site.id }] })
  const { member } = await guest(tenant, staff.id, '712917')
  const device = await connect({ ...credentials, capabilities: withoutModes })
  const rulesOf = (group: string) => {
    const row = device.slice.groups.get(group) as SliceRow<'groups'> | undefined
    return row?.permissions.map(({ gadget_id, action_id }) => [gadget_id ?? null, action_id ?? null])
  }
  expect(rulesOf(staff.id)).toEqual([[null, null]])
  const emergency = await client.emergencies.create({
    type: 'lockdown',
    targets: { site_ids: [site.id] },
    exempt_member_group_ids: [guards.id],
  })
  await device.until(() => rulesOf(staff.id)?.[0]?.[0] === door.id)
  expect(rulesOf(staff.id)).toEqual([[door.id, 'leave']])
  expect(rulesOf(guards.id)).toEqual([[null, null]])
  expect(device.slice.emergencies.size).toBe(0)
  const missing = async () => (await client.devices.get(device_id)).status.missing_capabilities
  await expect.poll(missing).toEqual(['door_modes'])
  const sync = await client.members.sync(member.id)
  expect(sync.items[0]?.pending_devices[0]?.missing_capabilities).toEqual(['door_modes'])
  await client.emergencies.end(emergency.id, {})
  await device.until(() => rulesOf(staff.id)?.[0]?.[0] === null)
  await expect.poll(missing).toEqual([])
  await device.close()
})

test('of two lockdowns in a row, devices that are told a few at a time end up with the second', async () => {
  tenant = await w.tenant()
  const { client } = tenant
  const { doors, site } = await wiredBuilding(w, tenant, 25)
  const devices = await Promise.all(doors.map(({ credentials }) => connect(credentials)))
  const started = { type: 'lockdown' as const, targets: { site_ids: [site.id] } }
  const first = await client.emergencies.create(started)
  const [leaver, ...others] = devices
  const left = doors[0]
  if (!leaver || !left) throw new Error('25 devices')
  await leaver.until(() => leaver.slice.emergencies.has(first.id))
  await leaver.close()
  await client.emergencies.end(first.id, {})
  const second = await client.emergencies.create(started)
  const back = await connect(left.credentials, leaver)
  const all = [back, ...others]
  const holdsSecond = (device: ScriptedDevice) => [...device.slice.emergencies.keys()].join() === second.id
  for (const device of all) await device.until(() => holdsSecond(device))
  expect(all.filter(holdsSecond)).toHaveLength(25)
})
