import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { setFire } from '../../packages/server/src/doors/fires.ts'
import { serviceCaller } from '../../packages/server/src/store/caller.ts'
import { heldDoor, openHouse } from './house.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

beforeAll(async () => {
  w = owned.use(await world())
})
beforeEach(async () => {
  tenant = await w.tenant()
})
afterAll(() => owned.disposeAsync())

/** What the controller with the contact would tell. */
function contact(site: string, state: 'on' | 'cleared', at = w.clock.now()) {
  const { clock, db } = w.server.context
  return db.transaction(inner =>
    setFire({ db: inner, caller: serviceCaller(tenant.organization_id), now: clock.now() }, site, state, at),
  )
}

test('a fire releases the doors that would lock people in, until it has cleared and somebody resets it', async () => {
  const { client } = tenant
  const { device_id, doors, site_id } = await openHouse(client, ['Street', 'Inside'])
  const [street = '', inside = ''] = doors
  const electric = { ...heldDoor, door: { ...heldDoor.door, egress: 'electric' as const } }
  const glass = await client.gadgets.create({ name: 'Glass', device_id, ...electric })
  await client.sites.edit(site_id, {
    fire: { source_gadget_id: street, source_state_id: 'opened', release_gadget_ids: [inside] },
  })
  await client.emergencies.create({ type: 'lockdown', targets: { site_ids: [site_id] } })
  const modes = async () => {
    const all = await Promise.all([street, inside, glass.id].map(id => client.gadgets.get(id)))
    return all.map(({ mode }) => `${mode?.effective} ${mode?.source}`)
  }
  const burning = ['lockdown emergency', 'evacuation fire', 'evacuation fire']

  const since = w.clock.now()
  await contact(site_id, 'on', since)
  expect(await modes()).toEqual(burning)
  expect((await client.sites.get(site_id)).fire).toMatchObject({ since })
  await expect(client.sites.fire_reset(site_id)).rejects.toMatchObject({ args: { field: 'fire' } })
  await expect(client.sites.edit(site_id, { fire: null })).rejects.toMatchObject({ args: { field: 'fire' } })
  await contact(site_id, 'cleared')
  expect(await modes()).toEqual(burning)
  await client.sites.fire_reset(site_id)
  expect(await modes()).toEqual(['lockdown emergency', 'lockdown emergency', 'lockdown emergency'])
  // A report of before the reset arrives late.
  await contact(site_id, 'on', since)
  expect((await client.sites.get(site_id)).fire?.since).toBeUndefined()
  const { data } = await client.events.list({ 'object.site_id': site_id, sort: 'created_at:asc', limit: 100 })
  const told = data.filter(({ object }) => object.type === 'site').map(({ object }) => object.reason)
  expect(told).toEqual([undefined, undefined, 'fire', 'fire_cleared', 'fire_reset'])
})
