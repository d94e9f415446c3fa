import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { manyOr, slowness, type Tenant, type World, within, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jobTypes } from '../../packages/server/src/services/job-types.ts'
import { JobRunner } from '../../packages/server/src/services/jobs/run-jobs.ts'
import { addController, building } from '../devices/building.ts'
import { EdgeChild } from '../devices/edge-child.ts'
import { ScriptedDevice } from '../devices/scripted-device.ts'
import { ended, importFile } from './importing.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

beforeAll(async () => {
  w = owned.use(await world({ rate_limit: 0 }))
  owned.use(new JobRunner(w.server.context, jobTypes))
  tenant = await w.tenant()
})
afterAll(() => owned.disposeAsync())

const count = Math.max(100, manyOr(100))
const pinOf = (n: number) => String(40_000_003 + n * 137)
const sync = { mode: 'sync', source: 'hotel', max_deletes: '5%' } as const

function fileWith(numbers: readonly number[]): string {
  const rows = numbers.map(n => `S${n},Guest ${n},Lobby,${pinOf(n)}\n`)
  return `external_id,name,groups,pin\n${rows.join('')}`
}

/** Waits for a connected door, and tells how long that took. */
async function reaches(what: string, device: ScriptedDevice, holds: () => boolean): Promise<void> {
  const begun = performance.now()
  await device.until(holds, 10_000)
  console.log(
    `${what} at the door ${Math.round(performance.now() - begun)} ms after the end, slowness ${slowness().toFixed(1)}`,
  )
}

interface Keypad {
  /** Returns why the door stays closed for the PIN of a guest, or null if it opens. */
  decide(n: number): Promise<string | null>
  type(n: number): Promise<object[]>
}

/** A second door of the group, at a controller with a keypad. */
async function keypadOf(site_id: string, group_id: string): Promise<Keypad> {
  const { credentials, device, door } = await addController(w, tenant, site_id, 'Back')
  const { permissions } = await tenant.client.member_groups.get(group_id)
  await tenant.client.member_groups.edit(group_id, { permissions: [...permissions, { gadget_id: door.id }] })
  const input_rules = [{ code: '', gadget_id: door.id, action_id: 'open' }]
  await tenant.client.devices.edit(device.id, { input_rules })
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-import-'))
  owned.defer(() => rm(folder, { recursive: true, force: true }))
  const { hardware_id, secret } = credentials
  const edge = owned.use(new EdgeChild({ url: w.url, hardware_id, secret, folder, ahead: 0 }))
  await edge.waitFor(({ is_live, version, is_sure }) => is_live && version !== null && is_sure)
  return {
    decide: n => edge.decide(pinOf(n), door.id),
    type: n => edge.type(`${pinOf(n)}#`),
  }
}

test('what jobs change is in force at connected doors, in few deltas', within(60), async () => {
  const { client } = tenant
  const { site, group, credentials } = await building(w, tenant)
  const keypad = await keypadOf(site.id, group.id)
  const device = await ScriptedDevice.connect(credentials)
  await device.until(() => device.policy !== undefined)
  const held = () => device.slice.members.size
  const all = Array.from({ length: count }, (_, n) => n)

  const job = await importFile(tenant, fileWith(all), sync)
  expect(job).toMatchObject({ state: 'succeeded', summary: { created: count } })
  await reaches('an import', device, () => held() === count)
  expect(device.holder('pin', pinOf(count - 1))).toBeDefined()
  await expect.poll(() => keypad.decide(0)).toBe(null)
  expect(await keypad.type(0)).toMatchObject([{ type: 'use' }])
  const deltas = device.received.filter(({ type }) => type === 'delta').length
  expect(deltas).toBeLessThanOrEqual(count / 10)

  const nobody = await importFile(tenant, fileWith([]), sync)
  expect(nobody).toMatchObject({ state: 'failed', summary: { deleted: 0 } })
  expect(held()).toBe(count)
  const gone = Math.floor(count * 0.03)
  const synced = await importFile(tenant, fileWith(all.slice(gone)), sync)
  expect(synced).toMatchObject({ state: 'succeeded', summary: { deleted: gone, unchanged: count - gone } })
  await expect.poll(() => keypad.decide(0), { timeout: 1000, interval: 10 }).toBe('unknown_credential')
  for (const n of all.slice(0, gone)) expect(await keypad.decide(n)).toBe('unknown_credential')
  // A keypad pauses after more wrong ones.
  for (const n of all.slice(0, 3))
    expect(await keypad.type(n)).toMatchObject([{ type: 'denial', reason: 'unknown_credential' }])
  expect(await keypad.type(gone)).toMatchObject([{ type: 'use' }])
  await reaches('a sync', device, () => held() === count - gone)
  expect(device.holder('pin', pinOf(0))).toBeUndefined()

  const undone = await ended(client, (await client.jobs.undo(synced.id)).id)
  expect(undone.summary).toMatchObject({ restored: gone })
  await reaches('its undo', device, () => device.holder('pin', pinOf(0)) !== undefined && held() === count)

  const change = { remove_member_group_ids: [group.id] }
  const edited = await client.bulk.edit({ kind: 'members', filter: {}, change, expected_count: count })
  expect(await ended(client, edited.id)).toMatchObject({ state: 'succeeded', summary: { updated: count } })
  await reaches('a bulk edit', device, () => held() === 0)
  await device.close()
})
