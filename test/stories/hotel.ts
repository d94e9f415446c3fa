import type { Client } from '@gatehouse-access/sdk'

/** Creates a small hotel: one site, one controller with two doors, and a group for each of two rooms. */
export async function hotel(client: Client) {
  const site = await client.sites.create({ name: 'Hotel', timezone: 'Europe/Madrid' })
  const controller = await client.devices.create({
    name: 'Controller',
    site_id: site.id,
    product_id: 'controller',
  })
  const door = await client.gadgets.create({ name: 'Front door', device_id: controller.id })
  const back = await client.gadgets.create({ name: 'Back door', device_id: controller.id })
  const groupFor = async (name: string, gadget_id: string) =>
    (await client.member_groups.create({ name, permissions: [{ gadget_id, action_id: 'open' }] })).id
  return {
    site: site.id,
    controller: controller.id,
    door: door.id,
    back: back.id,
    room: await groupFor('Room 101', door.id),
    otherRoom: await groupFor('Room 102', back.id),
  }
}
