import type { Client } from '@gatehouse-access/sdk'

export const uid = '04A1B2C3D4E5F6'
export const oldPin = '730516'
export const newPin = '942087'

/** A door with two virtual keypads that read cards, a member with a card and one with a PIN. */
export async function makeHouse(client: Client) {
  const site = await client.sites.create({ name: 'House', timezone: 'Europe/Madrid' })
  const controller = await client.devices.create({ name: 'C', site_id: site.id, product_id: 'controller' })
  const door = await client.gadgets.create({ name: 'Door', device_id: controller.id })
  const group = await client.member_groups.create({ name: 'Staff', permissions: [{ site_id: site.id }] })
  const addKeypad = async () => {
    const { id } = await client.devices.create({ name: 'K', site_id: site.id, product_id: 'keypad' })
    const input_rules = [{ code: '', gadget_id: door.id, action_id: 'open' }]
    await client.devices.edit(id, { input_rules })
    return id
  }
  const addMember = async (name: string) => {
    const { id } = await client.members.create({ name })
    await client.member_group_associations.create(id, { member_group_id: group.id })
    return id
  }
  const [mary, paul] = [await addMember('Mary'), await addMember('Paul')]
  const card = await client.member_cards.create(mary, { uid })
  const pin = await client.member_pins.create(paul, { pin: oldPin })
  const [online, offline] = [await addKeypad(), await addKeypad()]
  return {
    door: door.id,
    group: group.id,
    mary,
    paul,
    card: card.id,
    pin: pin.id,
    online,
    offline,
    addMember,
  }
}

export type House = Awaited<ReturnType<typeof makeHouse>>

/** What happens with a card and a PIN at the API and at both keypads: `use`, or why not. */
export async function tryDoors(client: Client, house: House, pin = oldPin): Promise<Record<string, string>> {
  const ask = async (credential_id: string) => {
    const at = { gadget_id: house.door, action_id: 'open' }
    const answer = await client.access_checks.create({ credential_id, ...at })
    return answer.allowed ? 'use' : String(answer.reason)
  }
  const at = async (device: string, input: object) => {
    const { events } = await client.devices.simulate(device, input)
    return events.map(({ type, reason }) => (type === 'denial' ? String(reason) : type)).join()
  }
  return {
    api_card: await ask(house.card),
    api_pin: await ask(house.pin),
    online_card: await at(house.online, { card: { uid } }),
    online_pin: await at(house.online, { keys: `${pin}#` }),
    offline_card: await at(house.offline, { card: { uid } }),
    offline_pin: await at(house.offline, { keys: `${pin}#` }),
  }
}
