import { closeVirtualDoors } from '@gatehouse-access/server'
import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { daily, openHouse } from './house.ts'
import { wholeDoor } from './wired-building.ts'

let w: World

beforeAll(async () => {
  w = await world({ delivery: true })
  w.clock.set('2026-06-01T05:00:00Z')
})
afterAll(() => w[Symbol.asyncDispose]())

const hour = 3600
const weekdays = Array(7).fill({ ranges: [{ start: 8 * hour, end: 18 * hour }] })

test('a virtual door is unlocked when its first person has come, and locked at the end, without any request', async () => {
  const { client } = await w.tenant()
  const site = await client.sites.create({ name: 'Office', timezone: 'Europe/Madrid' })
  const device = await client.devices.create({ name: 'C', site_id: site.id, product_id: 'controller' })
  const { id } = await client.gadgets.create({ name: 'Lobby', device_id: device.id, ...wholeDoor })
  const group = await client.member_groups.create({ name: 'Staff', permissions: [{ gadget_id: id }] })
  const member = await client.members.create({ name: 'First' })
  await client.member_group_associations.create(member.id, { member_group_id: group.id })
  await client.member_cards.create(member.id, { uid: '04A1B2C3D4E5F6' })
  const schedule = await client.schedules.create({ name: 'Open', weekdays })
  await client.unlock_rules.create({
    name: 'Lobby',
    site_id: site.id,
    gadget_ids: [id],
    schedule_id: schedule.id,
    first_person: { member_group_ids: [group.id], early_seconds: 3600, before: 'controlled' },
  })
  const lobby = async () => {
    const { mode, state_id } = await client.gadgets.get(id)
    return [mode?.effective, mode?.is_confirmed, state_id]
  }
  await expect.poll(lobby).toEqual(['controlled', true, 'closed'])

  // Nobody has come: the day begins, and the door stays locked.
  w.clock.set('2026-06-01T06:00:01Z')
  await closeVirtualDoors(w.server.context)
  expect(await lobby()).toEqual(['controlled', true, 'closed'])
  await client.devices.simulate(device.id, { card: { uid: '04A1B2C3D4E5F6' } })
  await expect.poll(lobby).toEqual(['unlocked', true, 'open'])

  w.clock.set('2026-06-01T16:00:01Z')
  await closeVirtualDoors(w.server.context)
  expect(await lobby()).toEqual(['controlled', true, 'closed'])
  const { data } = await client.events.list({ 'object.gadget_id': id, 'object.type': 'gadget_mode' })
  expect(data.map(({ object }) => [object.mode, object.source])).toEqual([
    ['controlled', 'default'],
    ['unlocked', 'unlock_rule'],
  ])
})

test('a change that turns no door starts no virtual device', async () => {
  const { client, organization_id } = await w.tenant()
  const open = async (name: string) => {
    const { site_id, device_id, doors } = await openHouse(client, [name])
    const schedule = await client.schedules.create({ name, weekdays: daily })
    const rule = { name, site_id, gadget_ids: doors, schedule_id: schedule.id }
    await client.unlock_rules.create(rule)
    const turns = (is_open: boolean) =>
      client.schedules.edit(schedule.id, { weekdays: is_open ? daily : Array(7).fill({ ranges: [] }) })
    const mode = async () => (await client.gadgets.get(doors[0] ?? '')).mode
    await expect.poll(mode).toMatchObject({ effective: 'unlocked', is_confirmed: true })
    return { device_id, schedule, turns, mode }
  }
  /** Another one after each run, because a run saves the device. */
  const saved = (device_id: string) =>
    w.server.context.db.query(
      'SELECT xmin::text FROM virtual_devices WHERE organization_id = $1 AND device_id = $2',
      [organization_id, device_id],
    )
  w.clock.set('2026-06-01T09:00:00Z')
  const [still, moving] = [await open('Still'), await open('Moving')]
  const before = await saved(still.device_id)

  await client.schedules.edit(still.schedule.id, { name: 'Renamed' })
  for (const is_open of [false, true]) {
    await moving.turns(is_open)
    const effective = is_open ? 'unlocked' : 'controlled'
    await expect.poll(moving.mode).toMatchObject({ effective, is_confirmed: true })
  }
  expect(await saved(still.device_id)).toEqual(before)

  await still.turns(false)
  await expect.poll(still.mode).toMatchObject({ effective: 'controlled', is_confirmed: true })
  expect(await saved(still.device_id)).not.toEqual(before)
})

test('a virtual door turns at the new hour when its schedule ends earlier', async () => {
  const { client, organization_id } = await w.tenant()
  const { site_id, device_id, doors } = await openHouse(client, ['Shop'])
  const schedule = await client.schedules.create({ name: 'Open', weekdays: daily })
  await client.unlock_rules.create({ name: 'Shop', site_id, gadget_ids: doors, schedule_id: schedule.id })
  const turns = async () => {
    const query = 'SELECT turns_at FROM virtual_devices WHERE organization_id = $1 AND device_id = $2'
    return (await w.server.context.db.query<{ turns_at: string }>(query, [organization_id, device_id]))[0]
      ?.turns_at
  }
  w.clock.set('2026-06-01T09:00:00Z')
  await expect.poll(turns).toBe('2026-06-01T16:00:00.000000Z')
  const earlier = Array(7).fill({ ranges: [{ start: 8 * hour, end: 17 * hour }] })
  await client.schedules.edit(schedule.id, { weekdays: earlier })
  await expect.poll(turns).toBe('2026-06-01T15:00:00.000000Z')
})
