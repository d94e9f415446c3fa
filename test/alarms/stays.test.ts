import { addSeconds } from '@gatehouse-access/core'
import { world } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { tendAlarms } from '../../packages/server/src/alarms/tend-alarms.ts'
import { tendStays } from '../../packages/server/src/services/access/tend-stays.ts'
import { building } from '../devices/building.ts'
import { ScriptedDevice } from '../devices/scripted-device.ts'
import { settled } from './settled.ts'

test('a stay that begins within the hour, and a door that has not confirmed it', async () => {
  await using w = await world({ delivery: true, devices: { sweep: 200 } })
  const tenant = await w.tenant()
  const { client } = tenant
  const { device, credentials, group } = await building(w, tenant)
  const connected = await ScriptedDevice.connect(credentials)
  await connected.until(({ policy }) => policy !== undefined)
  await connected.close()
  await expect.poll(async () => (await client.devices.get(device.id)).status.online).toBe(false)
  const member = await client.members.create({ name: 'Guest', starts_at: addSeconds(w.clock.now(), 7200) })
  await client.member_group_associations.create(member.id, { member_group_id: group.id })
  await settled(w)
  const alarms = async () => (await client.alarms.list({ member_id: member.id })).data
  const tend = async () => {
    await tendAlarms(w.server.context)
    await tendStays(w.server.context)
  }
  w.clock.advance(3590)
  await tend()
  expect(await alarms()).toEqual([])
  w.clock.advance(15)
  await tend()
  // The device has been offline for an hour, which explains it.
  const [cause] = (await client.alarms.list({ device_id: device.id, type: 'device_offline' })).data
  expect(await alarms()).toMatchObject([
    {
      type: 'sync_at_risk',
      severity: 'warning',
      is_over: false,
      device_id: device.id,
      cause_alarm_id: cause?.id,
    },
  ])
  const again = await ScriptedDevice.connect(credentials, connected)
  await again.until(({ slice }) => slice.members.has(member.id))
  await expect.poll(async () => (await client.members.sync(member.id)).at_risk).toBe(false)
  w.clock.advance(61)
  await tend()
  expect(await alarms()).toMatchObject([{ is_over: true }])
})
