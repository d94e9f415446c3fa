import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, etagOf } from '@gatehouse-access/sdk'
import { fillOrganization, issueAccessToken } from '@gatehouse-access/server'
import { Chance, isSoak, makeEmptyFolder, manyOr, seed } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { gatehouseProcess } from '../../packages/cli/test/gatehouse.ts'
import { ScriptedDevice } from '../devices/scripted-device.ts'
import { MovedController } from './controller.ts'
import { furnish, type Installation, installation, rowsOfOthers, waitForLinks } from './installation.ts'
import { type Exported, isWhole, killExport, killImport } from './kill.ts'

const chance = new Chance(seed)

const hours = 36_000_000

async function measure<T>(work: () => Promise<T>): Promise<{ result: T; seconds: number }> {
  const began = performance.now()
  const result = await work()
  return { result, seconds: (performance.now() - began) / 1000 }
}

test.runIf(isSoak)(
  'killed at any moment, an export is no file and an import has changed nothing',
  async () => {
    await using here = await installation()
    await using folder = await makeEmptyFolder()
    const tenant = await here.w.tenant('Hotel')
    const { organization_id } = tenant
    await fillOrganization(here.w.server.context, {
      organization_id,
      members: 2000,
      events: 20_000,
      onProgress() {},
    })
    const { edge } = await furnish(here.w, tenant)
    await waitForLinks(here)
    const before = await rowsOfOthers(here, '')
    const exported = await exportTo(here, organization_id, join(folder.path, 'hotel.export'))
    let [exports, imports] = [0, 0]
    const whole = { export: await killExport(here, exported), import: await measureImport(exported) }
    while (exports < manyOr(20)) {
      const after = chance.between(0, whole.export.milliseconds)
      exports += Number((await killExport(here, exported, after)).was_killed)
    }
    expect(await rowsOfOthers(here, '')).toEqual(before)
    while (imports < manyOr(20)) {
      await using there = await inhabited()
      const others = await rowsOfOthers(there, organization_id)
      let isThere = false
      while (imports < manyOr(20) && !isThere) {
        const after = chance.between(0, whole.import.milliseconds)
        const { was_killed, is_there } = await killImport(there, exported, after)
        isThere = is_there
        imports += Number(was_killed)
        const device = ScriptedDevice.open({ ...edge.credentials, url: there.w.url })
        if (is_there) await (await device).close()
        else await expect(device).rejects.toThrow('status 401')
      }
      const repeated = await there.run(['organization', 'import', exported.file], exported.key)
      expect([repeated.code, repeated.stderr]).toEqual([Number(isThere), expect.any(String)])
      expect(await isWhole(there, exported)).toBe(true)
      await waitForLinks(there)
      expect(await there.run(['audit', 'verify'])).toMatchObject({ code: 0 })
      expect(await rowsOfOthers(there, organization_id)).toEqual(others)
    }
    expect(await rowsOfOthers(here, '')).toEqual(before)
    console.log(`killed ${exports} exports and ${imports} imports`)
  },
  hours,
)

async function exportTo({ env }: Installation, organization_id: string, file: string) {
  const args = ['organization', 'export', organization_id, '--to', file, '--json']
  const { result, seconds } = await measure(() => gatehouseProcess(args, env))
  const { key, rows, bytes } = JSON.parse(result.stdout)
  return { organization_id, file, key, rows, bytes, seconds }
}

/** An installation whose jobs run, and in which somebody else is at home. */
async function inhabited(): Promise<Installation> {
  const there = await installation({ jobs: true })
  await (await there.w.tenant('Resident')).client.members.create({ name: 'Edsger' })
  await waitForLinks(there)
  return there
}

async function measureImport(exported: Exported) {
  await using there = await inhabited()
  return await killImport(there, exported)
}

interface Waits {
  /** The longest time between a write of the neighbour and its event in the neighbour's stream. */
  readonly lag: number
  /** The longest time in which the service did nothing else, and that of all but one in a thousand moments. */
  readonly task: number
  readonly usual_task: number
  readonly writes: number
}

/** Lets a neighbour write and read while `work` runs, in milliseconds. */
async function watchNeighbour({ w }: Installation, work: Promise<unknown>): Promise<Waits> {
  const { client, organization_id } = await w.tenant('Neighbour')
  const { feed } = w.server.context
  using loop = watchLoop()
  let [isOver, lag, writes, after] = [false, 0, 0, undefined as string | undefined]
  const done = work.finally(() => (isOver = true))
  for (; !isOver; writes++) {
    const began = performance.now()
    const { id } = await client.members.create({ name: 'Grace' })
    for (let isSeen = false; !isSeen; ) {
      const page = await feed.page({ organization_id, after })
      isSeen = page.some(({ event }) => event.object.member_id === id)
      after = page.at(-1)?.position ?? after
    }
    lag = Math.max(lag, performance.now() - began)
  }
  await done
  return { lag, ...loop.tasks(), writes }
}

const resolution = 2

function watchLoop() {
  const delays = monitorEventLoopDelay({ resolution })
  delays.enable()
  return {
    tasks: () => ({
      task: delays.max / 1e6 - resolution,
      usual_task: delays.percentile(99.9) / 1e6 - resolution,
    }),
    [Symbol.dispose]: () => void delays.disable(),
  }
}

test.runIf(isSoak)(
  'an organization of 100,000 members and 1,000,000 events moves, and its neighbours do not wait',
  async () => {
    await using here = await installation()
    await using there = await installation()
    await using folder = await makeEmptyFolder()
    const tenant = await here.w.tenant('Hotel')
    const { organization_id, oauth_application_id, client } = tenant
    const [members, events] = [
      Number(process.env.GATEHOUSE_MOVE_MEMBERS ?? 100_000),
      Number(process.env.GATEHOUSE_MOVE_EVENTS ?? 1_000_000),
    ]
    await fillOrganization(here.w.server.context, { organization_id, members, events, onProgress() {} })
    const house = await furnish(here.w, tenant)
    const controller = new MovedController(house.edge.credentials, folder.path)
    await waitForLinks(here, 3000)
    const file = join(folder.path, 'hotel.export')
    const idleHere = await watchNeighbour(here, sleep(20_000))
    const exporting = exportTo(here, organization_id, file)
    const busyHere = await watchNeighbour(here, exporting)
    const out = await exporting
    const { key, bytes, rows } = out
    expect(rows).toMatchObject({ members: members + 1 })
    const alone = await controller.workAlone('8305127')
    const idle = await watchNeighbour(there, sleep(20_000))
    const importing = measure(() =>
      gatehouseProcess(['organization', 'import', file, '--json'], there.env, key),
    )
    const busy = await watchNeighbour(there, importing)
    const into = await importing
    expect(into.result).toMatchObject({ code: 0 })
    expect(JSON.parse(into.result.stdout).rows).toEqual(rows)
    const verified = await measure(() => there.run(['audit', 'verify']))
    expect(verified.result).toMatchObject({ code: 0, stderr: '' })
    const ids = { organization_id, oauth_application_id, scopes: ['full_read_write'] }
    const token = await issueAccessToken(there.w.server.context, ids)
    const moved = createClient({ base_url: `${there.w.url}/v2`, token })
    const { data } = await client.members.list({ limit: 100 })
    for (const { id } of data)
      expect(etagOf(await moved.members.get(id))).toBe(etagOf(await client.members.get(id)))
    expect(await isWhole(there, out)).toBe(true)
    const typed = await moved.devices.simulate(house.keypad.id, { keys: '8305127#' })
    expect(typed.events).toMatchObject([{ type: 'use' }])
    const uses = async () =>
      (await moved.events.list({ 'object.gadget_id': house.edge.door.id, verb: 'use' } as never)).data.length
    await controller.goOn(there.w.url, '8305127', alone, async () => (await uses()) === 2)
    const size = `${members} members, ${events} events, ${(bytes / 1e6).toFixed(1)} MB`
    console.log(
      `${size}: exported in ${out.seconds.toFixed(1)} s, imported in ${into.seconds.toFixed(1)} s, verified in ${verified.seconds.toFixed(1)} s`,
    )
    console.log('A neighbour at the source, in milliseconds, before and meanwhile:', idleHere, busyHere)
    console.log('A neighbour where it arrives:', idle, busy)
  },
  hours,
)
