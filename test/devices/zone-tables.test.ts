import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finish, toMicroseconds } from '@gatehouse-access/core'
import {
  Agent,
  nodePlatform,
  openSqliteStorage,
  SimulatedDriver,
  silentLog,
  webSocketTo,
} from '@gatehouse-access/edge'
import { newDatabase, type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { building, guest } from './building.ts'
import type { DeviceOptions } from './scripted-device.ts'

const owned = new AsyncDisposableStack()
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-zone-tables-'))
  owned.defer(() => rm(folder, { recursive: true, force: true }))
})
afterAll(() => owned.disposeAsync())

/** Zone data in which Madrid has one offset all year, which no runtime has. */
async function zoneData(hours: number, release: string): Promise<string> {
  const path = await mkdtemp(join(folder, 'tzdata-'))
  const lines = [
    `# version ${release}`,
    `Z Europe/Madrid ${hours} - %z`,
    'Z Europe/Berlin 1 - CET',
    'Z Etc/UTC 0 - UTC',
  ]
  await writeFile(join(path, 'tzdata.zi'), `${lines.join('\n')}\n`)
  return path
}

function startController(options: DeviceOptions, path: string): Agent & AsyncDisposable {
  const platform = { ...nodePlatform() }
  const agent = new Agent({
    platform,
    driver: new SimulatedDriver(platform),
    log: silentLog,
    connect: webSocketTo(options),
    devices: [{ hardware_id: options.hardware_id, storage: openSqliteStorage(path, 'journal-zones') }],
  })
  return agent
}

function opensAt(agent: Agent, pin: string, gadget_id: string, at: string): boolean {
  const policy = agent.devices[0]?.station.policy
  const found = policy?.identify('pin', pin)
  if (!policy || !found) return false
  const question = {
    ...found,
    gadget_id,
    action_id: 'open',
    access_method: 'pin' as const,
    at: toMicroseconds(at),
  }
  return finish(policy.decide(question)).allowed
}

const versionOf = (agent: Agent) => agent.devices[0]?.intake.head?.version ?? 0

test('a controller with other zone data decides as the service, and follows it when that changes', async () => {
  const database = owned.use(await newDatabase(inject('databases')))
  const run = async (tzdata_dir: string, secret_keys?: World['server']['context']['config']['secret_keys']) =>
    world({ tzdata_dir, database: { url: database.url, secret_keys: secret_keys ?? [Buffer.alloc(32, 7)] } })
  const open = [{ start: 8 * 3600, end: 9 * 3600 }]
  let tenant: Tenant
  let before: number
  const file = join(folder, 'edge.sqlite')
  const place = { door: '', device: '', member: '', credentials: { url: '', hardware_id: '', secret: '' } }
  const checked = async (at: string) =>
    (
      await tenant.client.access_checks.create({
        member_id: place.member,
        gadget_id: place.door,
        action_id: 'open',
        access_method: 'pin',
        at,
      })
    ).allowed
  const times = [
    '2026-07-01T02:30:00Z',
    '2026-07-01T05:30:00Z',
    '2026-07-01T06:30:00Z',
    '2026-12-01T07:30:00Z',
  ]
  {
    await using w = await run(await zoneData(5, '2026x'))
    tenant = await w.tenant()
    const { client } = tenant
    w.clock.set('2026-06-01T10:00:00Z')
    const made = await building(w, tenant)
    const schedule = await client.schedules.create({
      name: 'Early',
      weekdays: Array(7).fill({ ranges: open }),
    })
    await client.member_groups.edit(made.group.id, {
      permissions: [{ gadget_id: made.door.id, schedule_id: schedule.id }],
    })
    const { member } = await guest(tenant, made.group.id, '402917')
    Object.assign(place, {
      door: made.door.id,
      device: made.device.id,
      member: member.id,
      credentials: made.credentials,
    })
    await using agent = startController(place.credentials, file)
    agent.start()
    await expect.poll(() => opensAt(agent, '402917', place.door, '2026-07-01T03:30:00Z')).toBe(true)
    expect(times.map(at => opensAt(agent, '402917', place.door, at))).toEqual([false, false, false, false])
    for (const at of [...times, '2026-07-01T03:30:00Z'])
      expect([at, opensAt(agent, '402917', place.door, at)]).toEqual([at, await checked(at)])
    before = versionOf(agent)
  }
  await using w = await run(await zoneData(3, '2026y'))
  w.clock.set('2026-06-02T10:00:00Z')
  const { organization_id } = tenant
  const [delta] = await w.server.context.db.query<{ version: number }>(
    'SELECT version::float8 AS version FROM device_policies WHERE organization_id = $1 AND device_id = $2',
    [organization_id, place.device],
  )
  expect(delta?.version).toBe(before)
  await using agent = startController({ ...place.credentials, url: w.url }, file)
  // Before it is connected, it decides by what it has on its disk.
  expect(opensAt(agent, '402917', place.door, '2026-07-01T03:30:00Z')).toBe(true)
  agent.start()
  await expect.poll(() => opensAt(agent, '402917', place.door, '2026-07-01T05:30:00Z')).toBe(true)
  expect(opensAt(agent, '402917', place.door, '2026-07-01T03:30:00Z')).toBe(false)
  // One delta: a snapshot would bring the members again.
  expect(versionOf(agent)).toBe(before + 1)
})
