import {
  Agent,
  MemoryDisk,
  nodePlatform,
  openMemoryStorage,
  SimulatedDriver,
  silentLog,
  webSocketTo,
} from '@gatehouse-access/edge'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addController, building, guest } from './building.ts'
import { ScriptedDevice } from './scripted-device.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant
let place: Awaited<ReturnType<typeof building>>

beforeAll(async () => {
  w = owned.use(await world({ log_level: 'fatal' }))
  // While the table has a row, no new version of a slice can be stored.
  await w.server.context.db.query(
    `CREATE TABLE broken (at int);
     CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN IF EXISTS (SELECT FROM broken) THEN RAISE 'broken'; END IF; RETURN NEW; END $$;
     CREATE TRIGGER refuse BEFORE UPDATE OF version ON device_policies FOR EACH ROW EXECUTE FUNCTION refuse()`,
    [],
    { prepare: false },
  )
})
afterAll(() => owned.disposeAsync())

beforeEach(async () => {
  tenant = await w.tenant()
  place = await building(w, tenant)
})

const breakPush = () => w.server.context.db.query('INSERT INTO broken VALUES (1)')
const mendPush = () => w.server.context.db.query('DELETE FROM broken')

async function admitGuest(pin: string) {
  const admitted = await guest(tenant, place.group.id, pin)
  const device = await ScriptedDevice.connect(place.credentials)
  await device.until(() => device.holder('pin', pin) === admitted.member.id)
  await expect.poll(async () => (await tenant.client.members.sync(admitted.member.id)).state).toBe('applied')
  return { ...admitted, device }
}

/** Until the service has written down what it knows of the device. */
async function waitUntilForgotten(): Promise<void> {
  const find = () => w.server.context.db.query('SELECT FROM device_connections')
  await expect.poll(async () => (await find()).length).toBe(0)
}

/** Reconnects with what the device has, until the service has sent it the removal of the PIN. */
async function expectRemoval(before: ScriptedDevice, member_id: string, pin: string): Promise<void> {
  expect((await tenant.client.members.sync(member_id)).state).toBe('pending')
  const device = await ScriptedDevice.connect(place.credentials, before)
  await device.until(() => device.holder('pin', pin) === undefined)
  device.socket.close()
  await waitUntilForgotten()
}

test('a device that could not be sent a removal gets it when it reconnects', async () => {
  const { member, pin, device } = await admitGuest('402917')
  await breakPush()
  await tenant.client.member_pins.delete(member.id, pin.id)
  await device.closed
  await waitUntilForgotten()
  await mendPush()
  await expectRemoval(device, member.id, '402917')
})

test('a device whose catching up fails gets what it missed with the next try', async () => {
  const { member, pin, device } = await admitGuest('774421')
  device.socket.close()
  await device.closed
  await tenant.client.member_pins.delete(member.id, pin.id)
  await breakPush()
  const second = await ScriptedDevice.connect(place.credentials, device)
  // The service looks at other changes before it has noticed that the device is gone.
  while (second.socket.readyState === second.socket.OPEN)
    await tenant.client.members.create({ name: 'Somebody' })
  await second.closed
  await waitUntilForgotten()
  await mendPush()
  await expectRemoval(second, member.id, '774421')
})

test('a device behind the controller of another gets the removal, too', async () => {
  const { client } = tenant
  const behind = await addController(w, tenant, place.site.id, 'Behind')
  await client.member_groups.edit(place.group.id, { permissions: [{ site_id: place.site.id }] })
  const { member, pin } = await guest(tenant, place.group.id, '518203')
  const platform = nodePlatform()
  await using agent = new Agent({
    platform,
    log: silentLog,
    driver: new SimulatedDriver(platform),
    connect: webSocketTo(place.credentials),
    devices: [place, behind].map(({ credentials: { hardware_id, secret } }) => ({
      hardware_id,
      secret,
      storage: openMemoryStorage(new MemoryDisk(`journal-${hardware_id}`)),
    })),
  })
  agent.start()
  const known = () =>
    agent.devices.map(({ station }) => station.policy.identify('pin', pin.pin) !== undefined)
  await expect.poll(known).toEqual([true, true])
  await expect.poll(async () => (await client.members.sync(member.id)).state).toBe('applied')
  await breakPush()
  await client.member_pins.delete(member.id, pin.id)
  await waitUntilForgotten()
  await mendPush()
  await expect.poll(known).toEqual([false, false])
})
