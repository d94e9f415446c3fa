import { type Kind, type Resource, resources, storedDefaults } from '@gatehouse-access/api'
import { newId } from '../store/ids.ts'
import { insertObject, type Write } from '../store/write.ts'

export interface Door {
  readonly gadget_id: string
  readonly device_id: string
  readonly site_id: string
  readonly gadget_action_id: string
}

/** Returns the gadgets for the events: existing ones, else those of a new site with a few virtual doors. */
export async function findOrMakeDoors(write: Write): Promise<Door[]> {
  const found = await findDoors(write)
  if (found.length > 0) return found
  await makeDoors(write)
  return findDoors(write)
}

function findDoors({ db, caller }: Write): Promise<Door[]> {
  return db.query<Door & object>(
    `SELECT id AS gadget_id, device_id, site_id, actions->0->>'id' AS gadget_action_id FROM gadgets
     WHERE organization_id = $1 AND NOT is_deleted AND jsonb_array_length(actions) > 0 ORDER BY id LIMIT 1000`,
    [caller.organization_id],
  )
}

async function makeDoors(write: Write): Promise<void> {
  const site_id = await make(write, resources.site, { name: 'Load test site', timezone: 'Europe/Madrid' })
  for (let unit = 1; unit <= 4; unit++) {
    const device = { name: `Load test controller ${unit}`, site_id, product_id: 'controller' }
    const device_id = await make(write, resources.device, device)
    for (let door = 1; door <= 8; door++)
      await make(write, resources.gadget, {
        name: `Load test door ${unit}.${door}`,
        site_id,
        device_id,
        actions: [{ id: 'open', name: 'Open' }],
      })
  }
}

export async function makeGroups(write: Write, count: number, doors: readonly Door[]): Promise<string[]> {
  const groups: string[] = []
  for (let index = 0; index < count; index++) {
    const door = doors[index % doors.length]
    const given = {
      name: `Load test group ${index + 1}`,
      permissions: door ? [{ gadget_id: door.gadget_id }] : [],
    }
    groups.push(await make(write, resources.member_group, given))
  }
  return groups
}

async function make(write: Write, resource: Resource, given: object): Promise<string> {
  const id = newId(resource.kind as Kind, write.now)
  const { organization_id } = write.caller
  const values = { ...storedDefaults(resource), id, organization_id, created_at: write.now, ...given }
  await insertObject(write, resource, values)
  return id
}
