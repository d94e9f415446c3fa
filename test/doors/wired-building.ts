import { capabilityNames } from '@gatehouse-access/api'
import type { Tenant, World } from '@gatehouse-access/testkit'
import { addController } from '../devices/building.ts'

/** The actions, states and signals of a door that can be held open, and what they mean. */
export const wholeDoor = {
  actions: [
    { id: 'open', name: 'Open' },
    { id: 'hold', name: 'Hold' },
    { id: 'secure', name: 'Secure' },
    { id: 'leave', name: 'Leave' },
  ],
  states: [
    { id: 'closed', name: 'Closed' },
    { id: 'open', name: 'Open' },
  ],
  signals: [
    { id: 'panic', name: 'Panic' },
    { id: 'last', name: 'Last one out' },
  ],
  door: {
    release_action_id: 'open',
    hold_action_id: 'hold',
    secure_action_id: 'secure',
    exit_action_ids: ['leave'],
    open_state_id: 'open',
    closed_state_id: 'closed',
  },
}

/** What the firmware of before understands. */
export const withoutModes = capabilityNames.filter(name => name !== 'door_modes')

/** Creates controllers with one door each, staff who may open all of them, and guards. */
export async function wiredBuilding(w: World, tenant: Tenant, controllers: number) {
  const { client } = tenant
  const site = await client.sites.create({ name: 'School', timezone: 'Europe/Madrid' })
  const doors = []
  for (let number = 1; number <= controllers; number++) doors.push(await addDoor(w, tenant, site.id, number))
  const rules = [{ site_id: site.id }]
  const staff = await client.member_groups.create({ name: 'Staff', permissions: rules })
  const guards = await client.member_groups.create({ name: 'Guards', permissions: [] })
  return { site, doors, staff, guards }
}

export async function addDoor(w: World, tenant: Tenant, site_id: string, number: number) {
  const made = await addController(w, tenant, site_id, `Door ${number}`)
  const door = await tenant.client.gadgets.edit(made.door.id, wholeDoor)
  return { ...made, door, credentials: { ...made.credentials, capabilities: [...capabilityNames] } }
}

export const always = Array(7).fill({ ranges: [{ start: 0, end: 86_400 }] })
