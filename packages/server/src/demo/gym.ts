import { doorTemplates } from '@gatehouse-access/api'
import { plantLobby } from './lobby.ts'
import type { Planter } from './planter.ts'

const hour = 3600

export async function seedGym(plant: Planter): Promise<void> {
  const site = await plant.create('site', { name: 'Corner Gym', timezone: 'Europe/Lisbon' })
  const device_id = await plant.create('device', {
    name: 'Entrance controller',
    site_id: site,
    product_id: 'controller',
  })
  const entrance = await plant.create('gadget', { name: 'Entrance', device_id, ...doorTemplates.holdable })
  const group = await plant.create('member_group', { name: 'Subscribers', permissions: [{ site_id: site }] })
  const trainers = await plant.create('member_group', { name: 'Trainers', permissions: [{ site_id: site }] })
  for (const [name, member_group_id] of [
    ['Subscriber 1', group],
    ['Trainer', trainers],
  ] as const) {
    const member_id = await plant.create('member', { name })
    await plant.create('member_group_association', { member_group_id }, { member_id })
    await plant.create('member_pin', {}, { member_id })
  }
  const weekdays = Array.from({ length: 7 }, () => ({ ranges: [{ start: 6 * hour, end: 23 * hour }] }))
  const schedule_id = await plant.create('schedule', { name: 'Opening hours', weekdays })
  await plantLobby(plant, {
    site_id: site,
    gadget_id: entrance,
    schedule_id,
    first: [trainers],
    exempt: [trainers],
  })
}
