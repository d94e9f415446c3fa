import { addSeconds } from '@gatehouse-access/core'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findLastChanges } from '../../packages/server/src/services/access/sync-arrivals.ts'
import { addController, building, guest } from './building.ts'
import { ScriptedDevice } from './scripted-device.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

beforeAll(async () => {
  w = owned.use(await world())
  tenant = await w.tenant()
})
afterAll(() => owned.disposeAsync())

async function itemOf(member_id: string, id: string) {
  const { items } = await tenant.client.members.sync(member_id)
  return items.find(item => item.id === id)
}

test('a credential is pending until every door it concerns has confirmed it', async () => {
  const { client } = tenant
  const place = await building(w, tenant)
  const back = await addController(w, tenant, place.site.id, 'Back door')
  await building(w, tenant, 'Elsewhere')
  await client.member_groups.edit(place.group.id, { permissions: [{ site_id: place.site.id }] })
  const { member, pin, association } = await guest(tenant, place.group.id, '402920')
  expect(await client.members.sync(member.id)).toMatchObject({
    member_id: member.id,
    state: 'pending',
    at_risk: true,
  })
  const front = await ScriptedDevice.connect(place.credentials)
  const applied = (id: string) => async () => (await itemOf(member.id, id))?.applied_devices
  await expect.poll(applied(pin.id)).toBe(1)
  expect(await itemOf(member.id, pin.id)).toMatchObject({
    type: 'member_pin',
    state: 'pending',
    devices: 2,
    at_risk: true,
    since: pin.created_at,
    pending_devices: [{ device_id: back.device.id, online: false, applied_at: null }],
  })
  const second = await ScriptedDevice.connect(back.credentials)
  await expect.poll(async () => (await client.members.sync(member.id)).state).toBe('applied')
  expect(await itemOf(member.id, association.id)).toMatchObject({
    state: 'applied',
    devices: 2,
    at_risk: false,
  })

  second.confirms = false
  const late = await client.member_pins.create(member.id, { pin: '402921' })
  await expect.poll(applied(late.id)).toBe(1)
  expect((await itemOf(member.id, pin.id))?.state).toBe('applied')
  expect((await itemOf(member.id, late.id))?.pending_devices).toMatchObject([
    { device_id: back.device.id, online: true },
  ])
  await second.until(() => second.holder('pin', '402921') === member.id)
  second.send({
    type: 'applied',
    device_id: second.device_id,
    ...(second.policy as { version: number; hash: string }),
  })
  await expect.poll(applied(late.id)).toBe(2)

  await second.close()
  await client.member_pins.delete(member.id, late.id)
  await expect.poll(applied(late.id)).toBe(1)
  expect(await itemOf(member.id, late.id)).toMatchObject({
    is_deleted: true,
    state: 'pending',
    at_risk: true,
  })
  const third = await ScriptedDevice.connect(back.credentials, second)
  await expect.poll(() => itemOf(member.id, late.id)).toBeUndefined()
  for (const device of [front, third]) await device.close()
})

test('what starts later is no risk yet; what concerns no door is nowhere', async () => {
  const { client } = tenant
  const place = await building(w, tenant)
  const { member } = await guest(tenant, place.group.id, '402930')
  await client.members.edit(member.id, { starts_at: addSeconds(w.clock.now(), 7200) })
  expect(await client.members.sync(member.id)).toMatchObject({ state: 'pending', at_risk: false })
  w.clock.advance(3700)
  expect(await client.members.sync(member.id)).toMatchObject({ state: 'pending', at_risk: true })
  const nobody = await client.members.create({})
  expect(await client.members.sync(nobody.id)).toMatchObject({ state: 'nowhere', at_risk: false })
  await expect(client.members.sync('mem_00000000000000000000')).rejects.toThrow('there is no member')
})

test('an association is no risk once its member has ended, however long it would last itself', async () => {
  const { client } = tenant
  const place = await building(w, tenant)
  const { member, association } = await guest(tenant, place.group.id, '402935')
  const ends_at = addSeconds(w.clock.now(), 7200)
  await client.member_group_associations.edit(member.id, association.id, { ends_at })
  await client.members.edit(member.id, { ends_at: addSeconds(w.clock.now(), 3600) })
  expect(await itemOf(member.id, association.id)).toMatchObject({ state: 'pending', at_risk: true })
  w.clock.advance(3601)
  expect(await itemOf(member.id, member.id)).toMatchObject({ state: 'pending', at_risk: false })
  expect(await itemOf(member.id, association.id)).toMatchObject({ state: 'pending', at_risk: false })
})

test('what a device was sent is listed, also where one door inherits what another grants', async () => {
  const { client } = tenant
  const place = await building(w, tenant)
  const second = await client.gadgets.create({ name: 'Second', device_id: place.device.id })
  await client.member_groups.edit(place.group.id, { permissions: [{ gadget_id: second.id }] })
  const { id: outer } = await client.member_groups.create({
    name: 'Outer',
    permissions: [{ gadget_id: place.door.id, member_group_id: place.group.id }],
  })
  const { member, association } = await guest(tenant, outer, '402940')
  const device = await ScriptedDevice.connect(place.credentials)
  await device.until(() => device.member(member.id) !== undefined)
  await expect
    .poll(() => itemOf(member.id, association.id))
    .toMatchObject({ state: 'applied', devices: 1, applied_devices: 1 })
  await device.close()
})

test('a new name is nothing that doors are told or have to confirm', async () => {
  const { client } = tenant
  const place = await building(w, tenant)
  const { member, pin } = await guest(tenant, place.group.id, '402950')
  const device = await ScriptedDevice.connect(place.credentials)
  await expect.poll(async () => (await client.members.sync(member.id)).state).toBe('applied')
  await client.members.edit(member.id, { name: 'Somebody else', metadata: { source: 'pms' } })
  await client.member_pins.edit(member.id, pin.id, { metadata: { source: 'pms' } })
  expect(await client.members.sync(member.id)).toMatchObject({ state: 'applied' })
  await client.members.edit(member.id, { ends_at: '2031-01-01T00:00:00Z' })
  await device.until(() => device.member(member.id)?.ends_at === '2031-01-01T00:00:00.000000Z')
  expect(device.received.filter(({ type }) => type === 'delta')).toHaveLength(1)
  await device.close()
})

test('the last change counts, also where the transaction ids have gained a digit since the one before', async () => {
  const { client, organization_id } = tenant
  const { db } = w.server.context
  const { id } = await client.members.create({ name: 'Ann' })
  const pin = await client.member_pins.create(id, {})
  await client.member_pins.delete(id, pin.id)
  const place = (verb: string, transaction: string) =>
    db.query(
      `UPDATE events SET transaction_id = $1::xid8 WHERE organization_id = $2 AND object->>'member_pin_id' = $3 AND verb = $4`,
      [transaction, organization_id, pin.id, verb],
    )
  await place('create', '99')
  await place('delete', '100')
  const changes = await findLastChanges(db, organization_id, id)
  expect(changes.get(`member_pin ${pin.id}`)?.transaction_id).toBe('100')
})
