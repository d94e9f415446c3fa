import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  Agent,
  nodePlatform,
  openSqliteStorage,
  SimulatedDriver,
  silentLog,
  webSocketTo,
} from '@gatehouse-access/edge'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { building } from './building.ts'
import type { DeviceOptions } from './scripted-device.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant
let folder: string

beforeAll(async () => {
  w = owned.use(await world())
  tenant = await w.tenant()
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-restored-'))
  owned.defer(() => rm(folder, { recursive: true, force: true }))
  const following = setInterval(() => w.clock.set(new Date().toISOString()), 20)
  owned.defer(() => clearInterval(following))
})
afterAll(() => owned.disposeAsync())

type Place = Awaited<ReturnType<typeof building>>

const nobody = 'http://127.0.0.1:1'

/** Runs a controller on a database file. Its door changes its state once for each requested event. */
async function runEdge(
  path: string,
  { credentials, door }: { credentials: DeviceOptions; door: Place['door'] },
  { events, isOffline = false }: { events: number; isOffline?: boolean },
): Promise<void> {
  const platform = nodePlatform()
  const { hardware_id } = credentials
  const storage = openSqliteStorage(path, 'journal-of-the-file')
  const connect = webSocketTo({ ...credentials, url: isOffline ? nobody : credentials.url })
  const devices = [{ hardware_id, storage }]
  await using agent = new Agent({
    platform,
    log: silentLog,
    driver: new SimulatedDriver(platform),
    connect,
    devices,
  })
  agent.start()
  const [device] = agent.devices
  await expect.poll(() => device?.station.policy.gadget(door.id)?.id).toBe(door.id)
  if (!isOffline) await expect.poll(() => agent.link.is_live).toBe(true)
  for (let count = 0; count < events; count++) {
    const before = storage.load().notes.states?.[door.id]
    await agent.reportState(door.id, before === 'open' ? 'closed' : 'open')
    await device?.recorder.write()
    storage.refresh()
  }
  if (!isOffline) await expect.poll(() => storage.readJournal(0, 1)).toEqual([])
}

async function storedStates({ door }: Place): Promise<number> {
  const { data } = await tenant.client.events.list({
    'object.gadget_id': door.id,
    'object.type': 'gadget_state',
  } as never)
  return data.length
}

test('a controller that is restored from an older copy of its disk loses none of its new events, and doubles none', async () => {
  const place = await building(w, tenant)
  const [path, copy] = [join(folder, 'one.sqlite'), join(folder, 'one-copy.sqlite')]
  await runEdge(path, place, { events: 3 })
  await runEdge(path, place, { events: 2, isOffline: true })
  await copyFile(path, copy)
  await runEdge(path, place, { events: 2 })
  expect(await storedStates(place)).toBe(7)

  // The service has more events than the restored copy knows of, and the copy's next sequence numbers are
  // already used.
  await rm(`${path}-wal`, { force: true })
  await copyFile(copy, path)
  await runEdge(path, place, { events: 4, isOffline: true })
  await runEdge(path, place, { events: 1 })
  expect(await storedStates(place)).toBe(7 + 5)
})

test('a controller whose disk is behind from the first moment goes on, too', async () => {
  const place = await building(w, tenant)
  const [path, copy] = [join(folder, 'two.sqlite'), join(folder, 'two-copy.sqlite')]
  await runEdge(path, place, { events: 1 })
  await copyFile(path, copy)
  await runEdge(path, place, { events: 3 })
  await copyFile(copy, path)
  await runEdge(path, place, { events: 2 })
  expect(await storedStates(place)).toBe(1 + 3 + 2)
})

test('a service that was restored from an older backup gets what it lacks and the device still has', async () => {
  const place = await building(w, tenant)
  const path = join(folder, 'three.sqlite')
  await runEdge(path, place, { events: 3 })
  await w.server.context.db.query(
    'UPDATE device_journals SET acknowledged_sequence = 1 WHERE device_id = $1',
    [place.device.id],
  )
  await runEdge(path, place, { events: 2, isOffline: true })
  await runEdge(path, place, { events: 1 })
  expect(await storedStates(place)).toBe(3 + 3)
})
