import {
  Agent,
  MemoryDisk,
  nodePlatform,
  openMemoryStorage,
  SimulatedDriver,
  webSocketTo,
} from '@gatehouse-access/edge'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addController, building, guest } from './building.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

beforeAll(async () => {
  w = owned.use(await world())
  tenant = await w.tenant()
})
afterAll(() => owned.disposeAsync())

test('one controller carries several devices, and what befalls one of them is not the fault of the others', async () => {
  const { client } = tenant
  const house = await building(w, tenant)
  const [left, right, stranger] = [
    await addController(w, tenant, house.site.id, 'Left'),
    await addController(w, tenant, house.site.id, 'Right'),
    await addController(w, tenant, house.site.id, 'Revoked'),
  ]
  await client.member_groups.edit(house.group.id, { permissions: [{ site_id: house.site.id }] })
  const { pin, member } = await guest(tenant, house.group.id, '402917')
  await client.devices.revoke_credentials(stranger.device.id)

  const platform = nodePlatform()
  const driver = new SimulatedDriver(platform)
  const connections: string[] = []
  const log = { info: (line: string) => void connections.push(line), error: () => {} }
  const { url, hardware_id, secret } = house.credentials
  await using agent = new Agent({
    platform,
    log,
    driver,
    connect: webSocketTo({ url, hardware_id, secret }),
    devices: [house, left, stranger, right].map(({ credentials }) => ({
      hardware_id: credentials.hardware_id,
      secret: credentials.secret,
      storage: openMemoryStorage(new MemoryDisk(`journal-${credentials.hardware_id}`)),
    })),
  })
  agent.start()

  const statusOf = async ({ device }: { device: { id: string } }) => {
    const { status, gateway_device_id } = await client.devices.get(device.id)
    return { online: status.online, gateway_device_id }
  }
  const carried = { online: true, gateway_device_id: house.device.id }
  await expect.poll(() => statusOf(left)).toEqual(carried)
  await expect.poll(() => statusOf(right)).toEqual(carried)
  expect(await statusOf(house)).toEqual({ online: true, gateway_device_id: null })
  expect(await statusOf(stranger)).toEqual({ online: false, gateway_device_id: null })

  const station = (of: typeof left) =>
    agent.devices.find(device => device.hardware_id === of.credentials.hardware_id)?.station
  await expect.poll(() => station(left)?.policy.identify('pin', pin.pin)?.member_id).toBe(member.id)
  for (const key of `${pin.pin}#`) agent.press(left.credentials.hardware_id, key)
  const usesAt = async (door: { id: string }) =>
    (await client.events.list({ 'object.gadget_id': door.id, verb: 'use' })).data
  await expect.poll(async () => (await usesAt(left.door)).length).toBe(1)
  expect((await usesAt(left.door))[0]).toMatchObject({
    subject: { member_id: member.id, member_pin_id: pin.id },
    object: { device_id: left.device.id },
  })

  // The controller reaches the door of its other device without the service.
  const input_rules = [{ code: '', gadget_id: right.door.id, action_id: 'open' }]
  await client.devices.edit(left.device.id, { input_rules })
  const targetOfLeft = () => station(left)?.policy.setup(left.device.id).input_rules[0]?.gadget_id
  await expect.poll(targetOfLeft).toBe(right.door.id)
  for (const key of `${pin.pin}#`) agent.press(left.credentials.hardware_id, key)
  await expect.poll(async () => (await usesAt(right.door)).length).toBe(1)
  expect(driver.done.map(({ gadget_id }) => gadget_id)).toEqual([left.door.id, right.door.id])

  await expect
    .poll(async () => {
      const answer = await fetch(`${w.url}/v2/gadgets/${right.door.id}/actions/open`, {
        method: 'POST',
        headers: { authorization: `Bearer ${tenant.token}` },
      })
      return answer.status
    })
    .toBe(200)
  expect(driver.done.at(-1)).toMatchObject({ gadget_id: right.door.id })

  await client.devices.revoke_credentials(right.device.id)
  await expect.poll(async () => (await statusOf(right)).online).toBe(false)
  await agent.reportState(left.door.id, 'open')
  await expect.poll(async () => (await client.gadgets.get(left.door.id)).state_id).toBe('open')
  expect((await statusOf(left)).online).toBe(true)
  expect((await statusOf(house)).online).toBe(true)
  expect(connections).toEqual(['connected'])
})
