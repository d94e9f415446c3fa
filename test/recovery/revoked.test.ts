import { reviewRestore } from '@gatehouse-access/server'
import type { Tenant } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type House, makeHouse, newPin, oldPin, tryDoors } from './house.ts'
import { clientAt, Installation } from './installation.ts'

const owned = new AsyncDisposableStack()
let there: Installation
let tenant: Tenant
let house: House
let backup: string

/** After the backup, a member is deleted and the PIN of another replaced. */
beforeAll(async () => {
  there = owned.use(await Installation.open())
  const w = await there.start()
  tenant = await w.tenant()
  house = await makeHouse(tenant.client)
  await tenant.client.devices.simulate(house.offline, { network: 'offline' })
  await there.stop()
  backup = await there.copy()
  const after = await there.start()
  const client = await clientAt(after, tenant)
  await client.members.delete(house.mary)
  await client.member_pins.delete(house.paul, house.pin)
  await client.member_pins.create(house.paul, { pin: newPin })
  await there.stop()
})
afterAll(() => owned.disposeAsync())

const denied = {
  api_card: 'member_deleted',
  api_pin: 'credential_deleted',
  online_card: 'unknown_credential',
  online_pin: 'unknown_credential',
  offline_card: 'unknown_credential',
  offline_pin: 'unknown_credential',
}
const open = Object.fromEntries(Object.keys(denied).map(name => [name, 'use']))

test('control: a database that is only put back opens to both again', async () => {
  there.setBack(backup)
  there.setBack(await there.copy())
  const w = await there.start({ jobs: false })
  expect(await tryDoors(await clientAt(w, tenant), house)).toEqual(open)
  await there.stop()
})

test('what was revoked after the backup opens nothing, before and after the confirmation', async () => {
  there.setBack(backup)
  there.setBack(await there.copy())
  await there.mark()
  const w = await there.start()
  const client = await clientAt(w, tenant)
  expect(await tryDoors(client, house)).toEqual(denied)
  expect(oldPin).not.toBe(newPin)
  const review = await reviewRestore(w.server.context.db)
  expect(review?.revoked.map(({ id, how, name }) => ({ id, how, name }))).toEqual([
    { id: house.mary, how: 'deleted', name: 'Mary' },
    { id: house.pin, how: 'deleted', name: 'Paul' },
  ])
  await there.stop()
})
