import { reviewRestore } from '@gatehouse-access/server'
import { type Receiver, receiver, type Tenant, type World } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { gatehouse } from '../../packages/cli/test/gatehouse.ts'
import { building, guest } from '../devices/building.ts'
import { ScriptedDevice } from '../devices/scripted-device.ts'
import { clientAt, Installation } from './installation.ts'

const owned = new AsyncDisposableStack()
let there: Installation
let tenant: Tenant
let w: World
let place: Awaited<ReturnType<typeof building>>
let device: ScriptedDevice
let [gone, came, pin] = ['', '', '']
let hooks: Receiver
let webhook: string

/** At the time of the backup a delivery waits. After it, a controller learns that one member is gone and another one came. */
beforeAll(async () => {
  hooks = owned.use(await receiver(500))
  there = owned.use(await Installation.open({ webhook_allow: ['127.0.0.1'] }))
  w = await there.start()
  tenant = await w.tenant()
  place = await building(w, tenant)
  const hook = { url: hooks.url, filter: [{ object_type: 'member' }] }
  webhook = (await tenant.client.webhooks.create(hook as never)).id
  gone = (await guest(tenant, place.group.id, '730516')).member.id
  device = await ScriptedDevice.connect(place.credentials)
  await device.until(({ policy }) => policy !== undefined)
  await hooks.waitFor(1)
  await there.stop()
  const backup = await there.copy()
  w = await there.start()
  const client = await clientAt(w, tenant)
  const again = await ScriptedDevice.connect({ ...place.credentials, url: w.url }, device)
  await client.members.delete(gone)
  const made = await guest({ ...tenant, client }, place.group.id, '942087')
  came = made.member.id
  pin = made.pin.id
  await again.until(({ slice }) => slice.members.has(came) && !slice.members.has(gone))
  device = again
  await there.stop()
  there.setBack(backup)
  await there.mark()
  w = await there.start()
  hooks.respond = 200
})
afterAll(() => owned.disposeAsync())

test('a controller keeps its newer policy while the service is recovered, and its journal is taken in', async () => {
  device = await ScriptedDevice.connect({ ...place.credentials, url: w.url }, device)
  const version = device.policy?.version
  const occurred_at = new Date().toISOString().replace('Z', '000Z')
  device.events([
    {
      type: 'use',
      occurred_at,
      gadget_id: place.door.id,
      action_id: 'open',
      access_method: 'pin',
      member_id: came,
      credential_id: pin,
    },
  ])
  await device.next('ack')
  const review = await reviewRestore(w.server.context.db)
  expect(review?.devices_ahead).toMatchObject([{ id: place.device.id, name: 'Lobby', version }])
  expect(review?.unknown_members).toMatchObject([{ id: came, device_id: place.device.id }])
  expect(device.policy?.version).toBe(version)
  expect(device.received.filter(({ type }) => /snapshot|delta/.test(type))).toEqual([])
})

test('deliveries that waited are listed, and not sent', async () => {
  const sent = hooks.received.length
  w.clock.advance(3600)
  const review = await reviewRestore(w.server.context.db)
  expect(review?.pending_deliveries).toEqual([
    { id: webhook, organization_id: tenant.organization_id, deliveries: 1 },
  ])
  expect(hooks.received.length).toBe(sent)
})

test('the confirmation sends it a snapshot under a version above its own', async () => {
  const version = device.policy?.version ?? 0
  expect(await gatehouse(['restore', 'confirm'], there.env)).toMatchObject({ code: 0 })
  expect(await device.closed).toMatchObject({ code: 1001 })
  device = await ScriptedDevice.connect({ ...place.credentials, url: w.url }, device)
  await device.until(({ policy }) => (policy?.version ?? 0) > version + 1)
  expect(device.slice.members.has(came)).toBe(false)
  expect(device.slice.members.has(gone)).toBe(false)
  await device.close()
  w.timers.advance(10_000)
  await expect
    .poll(() => hooks.received.map(({ event }) => (event.object as { member_id: string }).member_id))
    .toContain(gone)
})
