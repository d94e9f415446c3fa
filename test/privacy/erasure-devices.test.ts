import { addSeconds } from '@gatehouse-access/core'
import { manyOr, type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { raiseVersions } from '../../packages/server/src/recovery/devices-ahead.ts'
import { building, guest } from '../devices/building.ts'
import { ScriptedDevice } from '../devices/scripted-device.ts'
import { expectWholeChain, workUntil } from './erase.ts'
import { findWord } from './find-words.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

beforeAll(async () => {
  w = owned.use(await world({ delivery: true }))
  tenant = await w.tenant()
})
afterAll(() => owned.disposeAsync())

/** Counts the events in which an ID stands anywhere. */
async function countNamed(id: string): Promise<number> {
  const rows = await w.server.context.db.query('SELECT 1 FROM events e WHERE e::text LIKE $1', [`%${id}%`])
  return rows.length
}

test('a controller that was offline forgets the member once it is back, and tells of its events without them', async () => {
  const { client } = tenant
  const place = await building(w, tenant)
  const { member, pin } = await guest(tenant, place.group.id, '402919')
  const device = await ScriptedDevice.connect(place.credentials)
  await device.until(() => device.member(member.id) !== undefined)
  await expect.poll(async () => (await client.members.sync(member.id)).state).toBe('applied')
  await device.close()
  await expect.poll(async () => (await client.devices.get(place.device.id)).status.online).toBe(false)
  const named = await countNamed(member.id)
  const dry = await client.members.erase(member.id, {}, { dry_run: true })
  expect(dry.counts).toMatchObject({ events: named, devices: 1, devices_done: 0 })
  const begun = await client.members.erase(member.id)
  const waiting = await workUntil(w, client, begun.id, 'waiting')
  expect(waiting).toMatchObject({
    counts: { events: named, devices: 1, devices_done: 0 },
    receipt_hash: expect.any(String),
  })
  expect(await client.erasures.devices(begun.id)).toMatchObject({
    data: [
      {
        device_id: place.device.id,
        device_name: place.device.name,
        online: false,
        gadget_ids: [place.door.id],
        gadget_names: [place.door.name],
      },
    ],
    count: 1,
  })

  const count = manyOr(40)
  const at = (seconds: number) => addSeconds(w.clock.now(), seconds)
  const back = await ScriptedDevice.connect(place.credentials, device)
  const entry = {
    gadget_id: place.door.id,
    action_id: 'open',
    access_method: 'pin',
    member_id: member.id,
    credential_id: pin.id,
  } as const
  back.events(
    Array.from({ length: count }, (_, index) =>
      index % 4 === 0
        ? {
            type: 'denial' as const,
            occurred_at: at(index - count),
            ...entry,
            reason: 'outside_schedule' as const,
            rules: [
              {
                member_group_association_id: 'mga_00000000000000000000',
                member_group_id: place.group.id,
                rule_index: 0,
                is_inherited: false,
                failed: 'outside_schedule' as const,
              },
            ],
          }
        : { type: 'use' as const, occurred_at: at(index - count), ...entry },
    ),
  )
  await back.next('ack')
  await back.until(() => back.member(member.id) === undefined)
  const done = await workUntil(w, client, begun.id, 'done')
  // Those that came later never had the member.
  expect(done.counts).toMatchObject({ events: named, devices: 1, devices_done: 1 })
  const found = await Array.fromAsync(
    client.events.all({ 'object.device_id': place.device.id, 'subject.access_method': 'pin' }),
  )
  expect(found).toHaveLength(count)
  expect(found.every(event => event.is_unlinked && event.subject.member_id === null)).toBe(true)
  expect(
    found
      .filter(({ object }) => object.type === 'access_denial')
      .every(({ explanation }) =>
        explanation?.rules.every(rule => rule.member_group_association_id === null),
      ),
  ).toBe(true)
  const { db } = w.server.context
  expect(await findWord(db, pin.id)).toEqual({})
  expect(await findWord(db, 'mga_00000000000000000000')).toEqual({})
  const places = Object.keys(await findWord(db, member.id))
  expect(places.filter(table => !/^(events|ledger)_/.test(table))).toEqual(['erasures', 'members'])
  // That the member was deleted, and that the erasure began.
  expect(await countNamed(member.id)).toBe(2)
  await back.close()
  await expect.poll(() => expectWholeChain(w).then(() => true)).toBe(true)
})

type Place = Awaited<ReturnType<typeof building>>

/** A controller that has been sent a member of the group of its door. */
async function holding(pin: string) {
  const place = await building(w, tenant)
  const { member } = await guest(tenant, place.group.id, pin)
  const device = await ScriptedDevice.connect(place.credentials)
  await device.until(() => device.member(member.id) !== undefined)
  await expect.poll(async () => (await tenant.client.members.sync(member.id)).state).toBe('applied')
  return { place, member, device }
}

async function leave(place: Place, device: ScriptedDevice): Promise<void> {
  await device.close()
  await expect.poll(async () => (await tenant.client.devices.get(place.device.id)).status.online).toBe(false)
}

test('a controller whose rule was removed meanwhile still holds the member, and is waited for', async () => {
  const { client } = tenant
  const { place, member, device } = await holding('402920')
  await leave(place, device)
  await client.member_groups.edit(place.group.id, { permissions: [] })
  expect((await client.members.erase(member.id, {}, { dry_run: true })).counts.devices).toBe(1)
  const { id } = await client.members.erase(member.id)
  expect((await workUntil(w, client, id, 'waiting')).counts).toMatchObject({ devices: 1, devices_done: 0 })
  expect((await client.erasures.devices(id)).data).toMatchObject([
    { device_id: place.device.id, gadget_ids: [place.door.id] },
  ])
  const back = await ScriptedDevice.connect(place.credentials, device)
  await back.until(() => back.member(member.id) === undefined)
  expect((await workUntil(w, client, id, 'done')).counts).toMatchObject({ devices: 1, devices_done: 1 })
  await back.close()
})

test('a controller forgets who was erased while it was away, also if nobody waited for it', async () => {
  const { client } = tenant
  const { place, member, device } = await holding('402921')
  await leave(place, device)
  const stays = (await guest(tenant, place.group.id, '402922')).member
  await client.member_groups.delete(place.group.id)
  const { id } = await client.members.erase(member.id)
  await workUntil(w, client, id, 'waiting')
  // As if it had not been counted.
  await w.server.context.db.query(`UPDATE erasures SET device_ids = '{}' WHERE id = $1`, [id])
  await workUntil(w, client, id, 'done')
  await client.member_groups.edit(place.group.id, { is_deleted: false })
  const back = await ScriptedDevice.connect(place.credentials, device)
  await back.until(() => back.member(stays.id) !== undefined)
  await back.until(() => back.member(member.id) === undefined)
  expect(await back.next('delta')).toMatchObject({ from: device.policy?.version, erase: [member.id] })
  expect(back.received.some(({ type }) => type === 'snapshot_begin')).toBe(false)
  await back.close()
})

test('a snapshot that was never confirmed counts, and its controller forgets whom it has of it', async () => {
  const { client } = tenant
  const place = await building(w, tenant)
  const { member } = await guest(tenant, place.group.id, '402923')
  const device = await ScriptedDevice.open(place.credentials)
  device.confirms = false
  device.hello()
  await device.until(() => device.member(member.id) !== undefined)
  await device.next('snapshot_end')
  await leave(place, device)
  const { id } = await client.members.erase(member.id)
  await workUntil(w, client, id, 'waiting')
  const back = await ScriptedDevice.connect(place.credentials, device)
  await back.until(() => back.member(member.id) === undefined)
  await workUntil(w, client, id, 'done')
  await back.close()
})

test('a controller that never had the member is not waited for', async () => {
  const { client } = tenant
  const { place, device } = await holding('402924')
  await leave(place, device)
  w.clock.advance(86_400)
  const { member } = await guest(tenant, place.group.id, '402925')
  expect((await client.members.erase(member.id, {}, { dry_run: true })).counts.devices).toBe(0)
  const { id } = await client.members.erase(member.id)
  expect((await workUntil(w, client, id, 'done')).counts).toMatchObject({ devices: 0, devices_done: 0 })
})

test('a controller that was newer than a restore counts: what it was sent is not known any more', async () => {
  const { client, organization_id } = tenant
  const { place, device } = await holding('402932')
  await leave(place, device)
  w.clock.advance(86_400)
  const { member } = await guest(tenant, place.group.id, '402933')
  const devices = async () => (await client.members.erase(member.id, {}, { dry_run: true })).counts.devices
  expect(await devices()).toBe(0)
  const { db, clock } = w.server.context
  await db.query(
    'INSERT INTO restore_devices (organization_id, device_id, version, seen_at) VALUES ($1, $2, 1000, $3)',
    [organization_id, place.device.id, clock.now()],
  )
  await raiseVersions(db)
  expect(await devices()).toBe(1)
})

test('a controller that lost the group or the member before it went offline is not waited for', async () => {
  const { client } = tenant
  const lost = await holding('402926')
  await client.member_groups.edit(lost.place.group.id, { permissions: [] })
  await lost.device.until(device => device.member(lost.member.id) === undefined)
  await leave(lost.place, lost.device)
  const other = await building(w, tenant)
  await client.member_groups.edit(other.group.id, { name: 'Others' })
  expect((await client.members.erase(lost.member.id, {}, { dry_run: true })).counts.devices).toBe(0)

  const { place, member, device } = await holding('402927')
  const [association] = (await client.member_group_associations.list(member.id)).data
  await client.member_group_associations.delete(member.id, association?.id ?? '')
  await device.until(() => device.member(member.id) === undefined)
  await leave(place, device)
  expect((await client.members.erase(member.id, {}, { dry_run: true })).counts.devices).toBe(0)
})

test('a connected controller that may hold the member is told, although it is not sent the group any more', async () => {
  const { client } = tenant
  const { place, member, device } = await holding('402928')
  device.confirms = false
  await client.member_groups.edit(place.group.id, { permissions: [] })
  await device.until(() => device.member(member.id) === undefined)
  const { id } = await client.members.erase(member.id)
  await workUntil(w, client, id, 'waiting')
  await device.until(() =>
    device.received.some(message => message.type === 'delta' && message.erase?.includes(member.id) === true),
  )
  device.confirms = true
  device.send({
    type: 'applied',
    device_id: device.device_id,
    ...(device.policy ?? { version: 0, hash: '' }),
  })
  expect((await workUntil(w, client, id, 'done')).counts).toMatchObject({ devices: 1, devices_done: 1 })
  await device.close()
})
