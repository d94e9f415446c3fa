import type { Planter } from './planter.ts'

export async function seedGym(plant: Planter): Promise<void> {
  const site = await plant.create('site', { name: 'Corner Gym', timezone: 'Europe/Lisbon' })
  await plant.create('device', { name: 'Turnstile', site_id: site, product_id: 'controller-mini' })
  const group = await plant.create('member_group', { name: 'Subscribers', permissions: [{ site_id: site }] })
  const member_id = await plant.create('member', { name: 'Subscriber 1' })
  await plant.create('member_group_association', { member_group_id: group }, { member_id })
  await plant.create('member_pin', {}, { member_id })
}
