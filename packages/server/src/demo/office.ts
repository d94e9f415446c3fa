import { doorTemplates } from '@gatehouse-access/api'
import { plantLobby } from './lobby.ts'
import type { Planter } from './planter.ts'

const hour = 3600
const door = doorTemplates.plain

/** One floor with a front door, a server room and a meeting room. Staff by day, managers always. */
export async function seedOffice(plant: Planter): Promise<void> {
  const site = await plant.create('site', { name: 'Head office', timezone: 'Europe/Berlin' })
  const device_id = await plant.create('device', {
    name: 'Entrance controller',
    site_id: site,
    product_id: 'controller',
  })
  const front = await plant.create('gadget', { name: 'Front door', device_id, ...doorTemplates.holdable })
  const meeting = await plant.create('gadget', { name: 'Meeting room', device_id, ...door })
  await plant.create('gadget', { name: 'Server room', device_id, ...door })
  const weekdays = Array.from({ length: 7 }, (_, day) => ({
    ranges: day < 5 ? [{ start: 7 * hour, end: 20 * hour }] : [],
  }))
  const schedule_id = await plant.create('schedule', { name: 'Office hours', weekdays })
  const staff = await plant.create('member_group', {
    name: 'Staff',
    permissions: [front, meeting].map(gadget_id => ({ gadget_id, action_id: 'open', schedule_id })),
  })
  const managers = await plant.create('member_group', { name: 'Managers', permissions: [{ site_id: site }] })
  for (const [name, group] of [
    ['Employee 1', staff],
    ['Employee 2', staff],
    ['Manager', managers],
  ] as const) {
    const member_id = await plant.create('member', { name })
    await plant.create('member_group_association', { member_group_id: group }, { member_id })
    await plant.create('member_pin', {}, { member_id })
  }
  await plantLobby(plant, {
    site_id: site,
    gadget_id: front,
    schedule_id,
    first: [managers],
    exempt: [managers],
  })
}
