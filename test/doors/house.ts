import type { Client } from '@gatehouse-access/sdk'

const named = (...ids: string[]) => ids.map(id => ({ id, name: id }))

/** What a door that can be held open is made of. */
export const heldDoor = {
  actions: named('open', 'hold', 'secure'),
  states: named('closed', 'opened'),
  signals: named('button'),
  door: {
    release_action_id: 'open',
    hold_action_id: 'hold',
    secure_action_id: 'secure',
    exit_signal_id: 'button',
  },
}

/** A house with doors that can be held open, all of one virtual controller. */
export async function openHouse(client: Client, names: readonly string[], timezone = 'Europe/Madrid') {
  const site = await client.sites.create({ name: 'House', timezone })
  const device = await client.devices.create({ name: 'Box', site_id: site.id, product_id: 'controller' })
  const doors: string[] = []
  for (const name of names)
    doors.push((await client.gadgets.create({ name, device_id: device.id, ...heldDoor })).id)
  return { site_id: site.id, device_id: device.id, doors }
}

const hour = 3600

/** Open from 8:00 to 18:00 on every day. */
export const daily = Array.from({ length: 7 }, () => ({ ranges: [{ start: 8 * hour, end: 18 * hour }] }))
