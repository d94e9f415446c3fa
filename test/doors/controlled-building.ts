import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { expect } from 'vitest'
import { guest } from '../devices/building.ts'
import { layCable } from '../devices/cable.ts'
import { EdgeChild } from '../devices/edge-child.ts'
import { type addDoor, wholeDoor, wiredBuilding } from './wired-building.ts'

/** A building whose first controller is a process of its own, behind a cable that the test cuts. */
export async function controlledBuilding(owned: AsyncDisposableStack, controllers = 1) {
  const w = owned.use(await world({ delivery: true }))
  const tenant = await w.tenant()
  const place = await wiredBuilding(w, tenant, controllers)
  const [first] = place.doors
  if (!first) throw new Error('no controller')
  const second = await tenant.client.gadgets.create({
    name: 'Second',
    device_id: first.device.id,
    ...structuredClone(wholeDoor),
  })
  const member = await guest(tenant, place.staff.id, '246813')
  return { w, tenant, ...place, first, second, member }
}

/** Starts the controller and waits until it has its policy and knows the time. */
export async function startController(
  owned: AsyncDisposableStack,
  { w, first }: { w: World; first: Awaited<ReturnType<typeof addDoor>> },
) {
  const cable = owned.use(await layCable(w.url))
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-doors-'))
  owned.defer(() => rm(folder, { recursive: true, force: true }))
  const { hardware_id, secret } = first.credentials
  const edge = owned.use(new EdgeChild({ url: cable.url, hardware_id, secret, folder, ahead: 0 }))
  await edge.waitFor(({ is_live, version, is_sure }) => is_live && version !== null && is_sure)
  return {
    edge,
    cable,
    async goOffline() {
      cable.cut()
      await edge.waitFor(({ is_live }) => !is_live)
    },
  }
}

/** Waits until the service says that all doors of an emergency are confirmed. */
export async function allConfirmed({ client }: Tenant, id: string): Promise<void> {
  await expect
    .poll(async () => {
      const { confirmed_gadget_count, gadget_count } = await client.emergencies.get(id)
      return gadget_count - confirmed_gadget_count
    })
    .toBe(0)
}
