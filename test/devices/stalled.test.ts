import { slowness, type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addController, building, guest } from './building.ts'
import { type DeviceOptions, ScriptedDevice } from './scripted-device.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

beforeAll(async () => {
  // The device that reads shares the processor with all that is sent: a busy machine must not take it for stalled.
  w = owned.use(await world({ devices: { stall: 1500 * slowness() } }))
  tenant = await w.tenant()
})
afterAll(() => owned.disposeAsync())

/** Creates 5 MB of schedules with many ranges. Such a snapshot exceeds every socket buffer. */
async function addSchedules({ client, organization_id }: Tenant, site_id: string): Promise<void> {
  const ranges = Array.from({ length: 100 }, (_, place) => ({ start: place * 600, end: place * 600 + 300 }))
  const weekdays = Array.from({ length: 7 }, () => ({ ranges }))
  const schedule = await client.schedules.create({ name: 'Often', weekdays })
  const group = await client.member_groups.create({ name: 'Crowd', permissions: [{ site_id }] })
  const { db } = w.server.context
  const made = await db.query<{ id: string }>(
    `INSERT INTO schedules SELECT (s).* FROM (
       SELECT jsonb_populate_record(s, jsonb_build_object('id', 'sch_' || lpad(n::text, 20, '0'))) AS s
       FROM schedules s, generate_series(1, 240) n WHERE s.organization_id = $1 AND s.id = $2) AS copies RETURNING id`,
    [organization_id, schedule.id],
  )
  const permissions = made.map(({ id }) => ({ site_id, schedule_id: id }))
  await db.query('UPDATE member_groups SET permissions = $3::jsonb WHERE organization_id = $1 AND id = $2', [
    organization_id,
    group.id,
    permissions,
  ])
}

/** Sends a hello, then reads nothing. */
async function stall(options: DeviceOptions): Promise<ScriptedDevice> {
  const device = await ScriptedDevice.open(options)
  device.hello()
  device.socket.pause()
  return device
}

test('devices that do not read keep nobody from a snapshot: not others, and not their own organization', async () => {
  const place = await building(w, tenant)
  const { member } = await guest(tenant, place.group.id, '402918')
  const controllers = await Promise.all(
    Array.from({ length: 18 }, () => addController(w, tenant, place.site.id, 'Stalled')),
  )
  const others = await building(w, await w.tenant('Others'))
  await addSchedules(tenant, place.site.id)
  const stalled: ScriptedDevice[] = []
  for (const { credentials } of controllers.slice(0, 4)) stalled.push(await stall(credentials))

  const neighbour = await ScriptedDevice.connect(others.credentials)
  await neighbour.next('snapshot_end')
  await neighbour.close()

  for (const { credentials } of controllers.slice(4)) stalled.push(await stall(credentials))
  const healthy = await ScriptedDevice.connect(place.credentials)
  await healthy.next('snapshot_end', 30_000)
  expect(healthy.member(member.id)).toBeDefined()
  await healthy.close()
  for (const device of stalled) device.socket.terminate()
})
