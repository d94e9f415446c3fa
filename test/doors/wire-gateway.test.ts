import type { SliceRow } from '@gatehouse-access/api'
import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ScriptedDevice } from '../devices/scripted-device.ts'
import { wiredBuilding } from './wired-building.ts'

const owned = new AsyncDisposableStack()
let w: World

beforeAll(async () => {
  w = owned.use(await world())
})
afterAll(() => owned.disposeAsync())

test('devices behind one gateway are sent the doors of all of them, and those of no other', async () => {
  const tenant = await w.tenant()
  const { client } = tenant
  const { doors, site } = await wiredBuilding(w, tenant, 3)
  const [main, behind, alone] = doors as [
    (typeof doors)[number],
    (typeof doors)[number],
    (typeof doors)[number],
  ]
  const emergency = await client.emergencies.create({ type: 'lockdown', targets: { site_ids: [site.id] } })
  const gateway = await ScriptedDevice.connect(main.credentials)
  const doorsOf = (device: ScriptedDevice) => {
    const row = device.slice.emergencies.get(emergency.id) as SliceRow<'emergencies'> | undefined
    return row?.targets.gadget_ids.toSorted()
  }
  await gateway.until(() => doorsOf(gateway) !== undefined)
  expect(doorsOf(gateway)).toEqual([main.door.id])
  gateway.send({
    type: 'attach',
    hardware_id: behind.credentials.hardware_id,
    secret: behind.credentials.secret,
    journal: { id: 'journal-behind', last_sequence: 0 },
  })
  await gateway.next('attached')
  // Both slices on this connection go by the same test device, so the last row that came counts.
  await gateway.until(() => doorsOf(gateway)?.length === 2)
  expect(doorsOf(gateway)).toEqual([main.door.id, behind.door.id].sort())
  const other = await ScriptedDevice.connect(alone.credentials)
  await other.until(() => doorsOf(other) !== undefined)
  expect(doorsOf(other)).toEqual([alone.door.id])
  await gateway.close()
  await other.close()
})

test('a door leaves an emergency when its tag is deleted, and at its controller too', async () => {
  const tenant = await w.tenant()
  const { client } = tenant
  const { doors } = await wiredBuilding(w, tenant, 1)
  const [{ door, credentials }] = doors as [(typeof doors)[number]]
  const tag = await client.tags.create({ name: 'Ground floor' })
  await client.gadgets.edit(door.id, { tag_ids: [tag.id] })
  const device = await ScriptedDevice.connect(credentials)
  await device.until(({ policy }) => policy !== undefined)
  const { id } = await client.emergencies.create({ type: 'lockdown', targets: { tag_ids: [tag.id] } })
  await device.until(({ slice }) => slice.emergencies.has(id))
  await client.tags.delete(tag.id)
  await device.until(({ slice }) => !slice.emergencies.has(id))
  await device.close()
})
