import { createClient } from '../../packages/sdk/src/index.ts'

/** Creates a small hotel with one guest and returns the guest's link. */
export async function makeGuest(url: string, headers: Record<string, string>): Promise<string> {
  const token = (headers.authorization ?? '').replace('Bearer ', '')
  const client = createClient({ base_url: `${url}/v2`, token })
  const site = await client.sites.create({
    name: 'Hotel',
    timezone: 'Europe/Madrid',
    info: 'Breakfast from 7.',
  })
  const device = await client.devices.create({ name: 'Lobby', site_id: site.id, product_id: 'controller' })
  const doors = ['Front door', 'Room 204', 'Lift', 'Pool']
  for (const name of doors) await client.gadgets.create({ name, device_id: device.id })
  const group = await client.member_groups.create({ name: 'Guests', permissions: [{ site_id: site.id }] })
  const granted = (await client.grants.create({
    member: {},
    member_group_ids: [group.id],
    credentials: { magic_link: true, pin: {} },
  } as never)) as never as { magic_links: { link: string }[] }
  return granted.magic_links[0]?.link ?? ''
}
