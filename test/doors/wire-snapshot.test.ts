import type { FromService, SliceRow } from '@gatehouse-access/api'
import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { guest } from '../devices/building.ts'
import { ScriptedDevice } from '../devices/scripted-device.ts'
import { connectNarrowly } from './narrow-wire.ts'
import { wiredBuilding } from './wired-building.ts'

const owned = new AsyncDisposableStack()
let w: World

beforeAll(async () => {
  w = owned.use(await world())
})
afterAll(() => owned.disposeAsync())

/**
 * A device that was away while the rules of its door changed and the database was lost, so that it gets a snapshot,
 * which is stuck on its way.
 */
async function deviceInSnapshot() {
  const tenant = await w.tenant()
  const { client } = tenant
  const { doors, site, staff } = await wiredBuilding(w, tenant, 1)
  const [{ credentials, door }] = doors as [(typeof doors)[number]]
  const first = await ScriptedDevice.connect(credentials)
  await first.until(({ policy }) => policy !== undefined)
  await first.close()
  const lockDown = () => client.emergencies.create({ type: 'lockdown', targets: { site_ids: [site.id] } })
  const ending = await lockDown()
  await client.member_groups.edit(staff.id, { permissions: [{ gadget_id: door.id }] })
  await w.server.context.db.query('DELETE FROM feed_epoch_marker')
  const { member } = await guest(tenant, staff.id, '602917')
  const { device, widen } = await connectNarrowly(w, credentials, first)
  await device.until(({ received }) => received.some(({ type }) => type === 'snapshot_begin'))
  return { client, device, widen, lockDown, ending, member }
}

function partsOf(device: ScriptedDevice): FromService<'snapshot_part'>[] {
  return device.received.filter(message => message.type === 'snapshot_part')
}

test('an emergency that starts or ends during a snapshot does not wait for its end, nor does the end undo it', async () => {
  const { client, device, widen, lockDown, ending } = await deviceInSnapshot()
  const held = () => [...device.slice.emergencies.keys()]
  await device.until(() => held().includes(ending.id))
  const starting = await lockDown()
  await device.until(() => held().includes(starting.id))
  await client.emergencies.end(ending.id, {})
  await device.until(() => !held().includes(ending.id))
  expect(partsOf(device)).toEqual([])

  widen()
  await device.next('snapshot_end')
  const last = partsOf(device).at(-1)?.put.emergencies as SliceRow<'emergencies'>[]
  expect(last.map(({ id, ends_at }) => [id, ends_at !== undefined])).toEqual([
    [ending.id, true],
    [starting.id, false],
  ])
  await device.until(() => held().join() === starting.id)
  expect(device.received.map(({ type }) => type)).not.toContain('error')
  // The chain of deltas goes on from the snapshot.
  await client.emergencies.end(starting.id, {})
  await device.until(() => held().length === 0)
  await device.close()
})

test('a device that has confirmed an emergency is not said to have the members that follow', async () => {
  const { client, device, widen, ending, member } = await deviceInSnapshot()
  await device.until(({ slice }) => slice.emergencies.has(ending.id))
  const { db } = w.server.context
  const applied = () =>
    db.query<{ version: number }>(
      'SELECT applied_version::float8 AS version FROM device_policies WHERE device_id = $1',
      [device.device_id],
    )
  const version = device.policy?.version
  await expect.poll(applied).toEqual([{ version }])
  const pending = async () =>
    (await client.members.sync(member.id)).items.map(item => item.pending_devices.length)
  expect(new Set(await pending())).toEqual(new Set([1]))
  widen()
  await expect.poll(pending).not.toContain(1)
  await device.close()
})

test('an override that is removed during the first snapshot of a device is not left behind', async () => {
  const tenant = await w.tenant()
  const { client } = tenant
  const { doors } = await wiredBuilding(w, tenant, 2)
  const [here, there] = doors as [(typeof doors)[number], (typeof doors)[number]]
  const other = await ScriptedDevice.connect(there.credentials)
  await other.until(({ policy }) => policy !== undefined)
  const setMode = (id: string, mode: 'unlocked' | 'controlled') =>
    client.gadgets.mode(id, { mode, lasts: 'indefinitely' })
  await setMode(here.door.id, 'unlocked')
  // Once a later change has arrived elsewhere, the service has seen this one, and the snapshot has it.
  await setMode(there.door.id, 'unlocked')
  await other.until(({ slice }) => slice.overrides.get(there.door.id)?.mode === 'unlocked')
  const { device, widen } = await connectNarrowly(w, here.credentials)
  await device.until(({ received }) => received.some(({ type }) => type === 'snapshot_begin'))
  await client.gadgets.mode(here.door.id, { mode: 'scheduled' })
  // In the same way, the service has seen the removal.
  await setMode(there.door.id, 'controlled')
  await other.until(({ slice }) => slice.overrides.get(there.door.id)?.mode === 'controlled')
  widen()
  await device.next('snapshot_end')
  expect(partsOf(device)[0]?.put.overrides).toMatchObject([{ id: here.door.id }])
  await device.until(({ slice }) => slice.overrides.size === 0)
  for (const each of [device, other]) await each.close()
})
