import type { Tenant, World } from '@gatehouse-access/testkit'
import type { DeviceOptions } from './scripted-device.ts'

/** Creates a site with one door, its controller, and a group that may open it. */
export async function building(w: World, tenant: Tenant, name = 'Lobby') {
  const { client } = tenant
  const site = await client.sites.create({ name, timezone: 'Europe/Madrid' })
  const controller = await addController(w, tenant, site.id, name)
  const group = await client.member_groups.create({
    name,
    permissions: [{ gadget_id: controller.door.id }],
  })
  return { site, group, ...controller }
}

let count = 0

export async function addController(w: World, { client }: Tenant, site_id: string, name: string) {
  const hardware_id = `hw_TEST-${String(++count).padStart(4, '0')}`
  const device = await client.devices.create({ name, site_id, product_id: 'controller', hardware_id })
  const door = await client.gadgets.create({
    name,
    device_id: device.id,
    actions: [{ id: 'open', name: 'Open' }],
    states: [
      { id: 'closed', name: 'Closed' },
      { id: 'open', name: 'Open' },
    ],
    signals: [{ id: 'bell', name: 'Bell' }],
  })
  const { secret } = await client.devices.issue_credentials(device.id)
  const credentials: DeviceOptions = { url: w.url, hardware_id, secret }
  return { device, door, credentials }
}

/** Creates a member of a group, with a PIN. */
export async function guest({ client }: Tenant, member_group_id: string, pin: string) {
  const member = await client.members.create({ name: 'Guest' })
  const association = await client.member_group_associations.create(member.id, { member_group_id })
  const created = await client.member_pins.create(member.id, { pin })
  return { member, association, pin: created }
}
