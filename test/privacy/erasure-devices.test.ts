import { addSeconds } from '@gatehouse-access/core'
import { manyOr, type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

test('a controller that was offline forgets the member once it is back, and tells of its events without them', async () => {
  const { client } = tenant
  const place = await building(w, tenant)
  const { member, pin } = await guest(tenant, place.group.id, '402919')
  const device = await ScriptedDevice.connect(place.credentials)
  await device.until(() => device.member(member.id) !== undefined)
  await expect.poll(async () => (await client.members.sync(member.id)).state).toBe('applied')
  await device.close()
  await expect.poll(async () => (await client.devices.get(place.device.id)).status.online).toBe(false)
  const dry = await client.members.erase(member.id, {}, { dry_run: true })
  expect(dry.counts).toMatchObject({ devices: 1, devices_done: 0 })
  const begun = await client.members.erase(member.id)
  const waiting = await workUntil(w, client, begun.id, 'waiting')
  expect(waiting).toMatchObject({ counts: { devices: 1, devices_done: 0 }, receipt_hash: expect.any(String) })
  expect((await client.erasures.devices(begun.id)).data).toMatchObject([
    { device_id: place.device.id, online: false, gadget_ids: [place.door.id] },
  ])

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
  expect(done.counts).toMatchObject({ devices: 1, devices_done: 1 })
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
  expect(
    Object.keys(await findWord(db, member.id)).filter(table => !/^(events|ledger)_/.test(table)),
  ).toEqual(['erasures', 'members'])
  await back.close()
  await expect.poll(() => expectWholeChain(w).then(() => true)).toBe(true)
})
