import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { quickest, slowness, type Tenant, type World, within, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { building, guest } from './building.ts'
import { EdgeChild } from './edge-child.ts'
import { ScriptedDevice } from './scripted-device.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

beforeAll(async () => {
  w = owned.use(await world())
  tenant = await w.tenant()
  w.clock.set('2026-11-17T10:00:00Z')
})
afterAll(() => owned.disposeAsync())

const able = { capabilities: ['suspensions'] }
const until = '2026-11-17T12:00:00.000000Z'

async function loaded(options: Parameters<typeof ScriptedDevice.connect>[0], before?: ScriptedDevice) {
  const device = await ScriptedDevice.connect(options, before)
  await device.until(({ policy }) => policy !== undefined)
  return device
}

test('a controller is sent what is suspended and until when, and one that would misread it is not', async () => {
  const { client } = tenant
  const place = await building(w, tenant, 'Lobby')
  const second = await building(w, tenant, 'Old')
  await client.member_groups.edit(place.group.id, {
    permissions: [{ gadget_id: place.door.id }, { gadget_id: second.door.id }],
  })
  const { member, pin } = await guest(tenant, place.group.id, '402917')
  const link = await client.member_magic_links.create(member.id, {})
  const device = await loaded({ ...place.credentials, ...able })
  const old = await loaded(second.credentials)
  await device.until(it => it.member(member.id) !== undefined)
  await old.until(it => it.member(member.id) !== undefined)
  const unsuspended = device.member(member.id)
  expect(JSON.stringify(unsuspended)).not.toContain('suspend')

  await client.members.edit(member.id, {
    is_suspended: true,
    suspended_until: until,
    suspended_reason: 'Lost',
  })
  await device.until(it => it.member(member.id)?.is_suspended === true)
  expect(device.member(member.id)).toMatchObject({ is_suspended: true, suspended_until: until })
  expect(JSON.stringify(device.member(member.id))).not.toContain('Lost')
  await old.until(it => it.member(member.id) === undefined)
  await client.members.edit(member.id, { is_suspended: false })
  await old.until(it => it.member(member.id) !== undefined)
  await device.until(it => it.member(member.id)?.is_suspended === undefined)
  expect(device.member(member.id)).toEqual(unsuspended)

  await client.member_pins.edit(member.id, pin.id, { is_suspended: true })
  await device.until(it => it.member(member.id)?.credentials[0]?.is_suspended === true)
  expect(device.holder('pin', '402917')).toBe(member.id)
  await old.until(it => it.member(member.id)?.credentials.length === 0)

  await client.member_magic_links.edit(member.id, link.id, { is_suspended: true, suspended_until: until })
  await device.until(it => it.member(member.id)?.suspended?.length === 1)
  expect(device.member(member.id)?.suspended).toEqual([{ id: link.id, suspended_until: until }])
  await old.until(it => it.member(member.id)?.revoked?.[0] === link.id)
  await Promise.all([device.close(), old.close()])
})

test('the inputs of a device without the capability are suspended by sending it no groups', async () => {
  const { client } = tenant
  const place = await building(w, tenant, 'Gate')
  const { member } = await guest(tenant, place.group.id, '402918')
  const old = await loaded(place.credentials)
  await old.until(it => it.member(member.id) !== undefined)
  await client.devices.edit(place.device.id, { is_suspended: true })
  await old.until(it => it.slice.groups.size === 0 && it.member(member.id) === undefined)
  await expect
    .poll(async () => (await client.devices.get(place.device.id)).status.missing_capabilities)
    .toEqual(['suspensions'])
  await old.close()

  // With newer firmware, it gets everything again and decides by itself.
  const device = await loaded({ ...place.credentials, ...able }, old)
  await device.until(it => it.slice.groups.size === 1 && it.member(member.id) !== undefined)
  expect(device.slice.devices.get(place.device.id)).toMatchObject({ is_suspended: true })
  await device.close()
})

test('a controller that loses the capability also loses whom it would let in', async () => {
  const { client } = tenant
  const place = await building(w, tenant, 'Depot')
  const { member } = await guest(tenant, place.group.id, '402919')
  await client.members.edit(member.id, { is_suspended: true })
  const device = await loaded({ ...place.credentials, ...able })
  await device.until(it => it.member(member.id)?.is_suspended === true)
  await device.close()
  const old = await loaded(place.credentials, device)
  await old.until(it => it.member(member.id) === undefined)
  await old.close()
})

/** A connected controller in its own process, and what its door says to a PIN that may open it. */
async function keypad(name: string, pin: string, parts: AsyncDisposableStack) {
  const place = await building(w, tenant, name)
  const who = await guest(tenant, place.group.id, pin)
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-suspensions-'))
  parts.defer(() => rm(folder, { recursive: true, force: true }))
  const { hardware_id, secret } = place.credentials
  const edge = parts.use(new EdgeChild({ url: w.url, hardware_id, secret, folder, ahead: 0 }))
  await edge.waitFor(({ is_live, version, is_sure }) => is_live && version !== null && is_sure)
  const type = async () => {
    const [event] = await edge.type(`${pin}#`)
    return event?.type === 'denial' ? event.reason : event?.type
  }
  await expect.poll(type).toBe('use')
  return { device_id: place.device.id, member_id: who.member.id, pin_id: who.pin.id, type }
}

test('a connected door refuses and admits within a second of the answer', within(60), async () => {
  const { client } = tenant
  await using parts = new AsyncDisposableStack()
  const { device_id, member_id, pin_id, type } = await keypad('Yard', '402920', parts)
  const kinds = {
    member_suspended: (is_suspended: boolean) => client.members.edit(member_id, { is_suspended }),
    credential_suspended: (is_suspended: boolean) =>
      client.member_pins.edit(member_id, pin_id, { is_suspended }),
    device_suspended: (is_suspended: boolean) => client.devices.edit(device_id, { is_suspended }),
  }
  const limit = 1000 * slowness()
  for (const [reason, edit] of Object.entries(kinds)) {
    const editAndSee = async (is_suspended: boolean) => {
      await edit(is_suspended)
      const begin = performance.now()
      while ((await type()) !== (is_suspended ? reason : 'use')) await sleep(5)
      return performance.now() - begin
    }
    const slower = async () => Math.max(await editAndSee(true), await editAndSee(false))
    const took = await quickest(limit, slower)
    expect([reason, took]).toEqual([reason, expect.toSatisfy(milliseconds => milliseconds < limit)])
  }
})
