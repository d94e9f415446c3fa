import { holdChanges, world } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { addController, building, guest } from './building.ts'
import { ScriptedDevice } from './scripted-device.ts'

test('a device that registers while the last other one of its organization leaves is told of changes', async () => {
  await using w = await world()
  const { db } = w.server.context
  const tenant = await w.tenant()
  const place = await building(w, tenant)
  const other = await addController(w, tenant, place.site.id, 'Garage')
  await tenant.client.member_groups.edit(place.group.id, { permissions: [{ site_id: place.site.id }] })
  const leaving = await ScriptedDevice.connect(place.credentials)
  await leaving.until(({ policy }) => policy !== undefined)
  // Asked elsewhere if the question was sent right behind the request that waits below.
  const ask = <Row extends object>(text: string) => db.query<Row>(text, [], { may_repeat: true })
  const connected = async () =>
    (await ask<{ device_id: string }>('SELECT device_id FROM device_connections')).map(row => row.device_id)

  // Registering waits in the middle, for the groups that the device knows.
  const release = await holdChanges(db, 'device_groups')
  const staying = await ScriptedDevice.open(other.credentials)
  staying.hello()
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%device_groups%'`
  await expect.poll(() => ask(waiting)).toHaveLength(1)
  await leaving.close()
  await expect.poll(connected).toEqual([other.device.id])
  await release()

  await staying.until(({ policy }) => policy !== undefined)
  const { member } = await guest(tenant, place.group.id, '518204')
  await staying.until(() => staying.holder('pin', '518204') === member.id)
  await staying.close()
})
