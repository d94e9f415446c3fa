import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient, etagOf } from '@gatehouse-access/sdk'
import { fillOrganization, issueAccessToken } from '@gatehouse-access/server'
import { isSoak, makeEmptyFolder, manyOr } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { gatehouseProcess } from '../../packages/cli/test/gatehouse.ts'
import { ScriptedDevice } from '../devices/scripted-device.ts'
import { furnish, type Installation, installation, rowsOfOthers } from './installation.ts'

const main = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url))
const hours = 36_000_000

/** Runs a command and kills it after so many milliseconds. Returns whether it was still running. */
async function runAndKill({ env }: Installation, args: readonly string[], input: string, after: number) {
  const child = spawn(process.execPath, [main, ...args], { env, stdio: ['pipe', 'ignore', 'ignore'] })
  const ended = new Promise<NodeJS.Signals | null>(resolve =>
    child.once('exit', (_code, signal) => resolve(signal)),
  )
  child.stdin?.end(input)
  const timer = setTimeout(() => child.kill('SIGKILL'), after)
  const signal = await ended
  clearTimeout(timer)
  return signal === 'SIGKILL'
}

async function measure<T>(work: () => Promise<T>): Promise<{ result: T; seconds: number }> {
  const began = performance.now()
  const result = await work()
  return { result, seconds: (performance.now() - began) / 1000 }
}

test.runIf(isSoak)(
  'killed at any moment, an export is no file and an import has changed nothing',
  async () => {
    await using here = await installation()
    await using there = await installation({ jobs: true })
    await using folder = await makeEmptyFolder()
    const tenant = await here.w.tenant('Hotel')
    const { organization_id } = tenant
    await fillOrganization(here.w.server.context, {
      organization_id,
      members: 2000,
      events: 20_000,
      onProgress() {},
    })
    await furnish(here.w, tenant)
    const others = await rowsOfOthers(there, organization_id)
    const file = join(folder.path, 'hotel.export')
    const args = ['organization', 'export', organization_id, '--to', file, '--json']
    const whole = await measure(() => gatehouseProcess(args, here.env))
    const { key } = JSON.parse(whole.result.stdout)
    let kills = 0
    for (let seed = 0; seed < manyOr(20); seed++) {
      const other = join(folder.path, 'other.export')
      const again = args.with(4, other)
      if (!(await runAndKill(here, again, '', Math.random() * whole.seconds * 1000))) await rm(other)
      else kills++
      expect(existsSync(other)).toBe(false)
    }
    const count = async (table: string) => {
      const rows = await there.w.server.context.db.query<{ count: string }>(
        `SELECT count(*) AS count FROM ${table}`,
      )
      return Number(rows[0]?.count)
    }
    let isThere = false
    for (let seed = 0; seed < manyOr(20) && !isThere; seed++) {
      kills += Number(
        await runAndKill(there, ['organization', 'import', file], key, Math.random() * whole.seconds * 2000),
      )
      isThere = (await count('organizations')) > 0
    }
    expect(kills).toBeGreaterThan(0)
    if (!isThere) expect(await there.run(['organization', 'import', file], key)).toMatchObject({ code: 0 })
    expect(await count('organization_imports')).toBe(0)
    expect(await count('members')).toBe(2001)
    expect(await rowsOfOthers(there, organization_id)).toEqual(others)
    await expect.poll(async () => (await there.run(['audit', 'verify'])).code, { timeout: 60_000 }).toBe(0)
    console.log(`${kills} kills`)
  },
  hours,
)

/** The longest time between a write of the neighbour and its event in the neighbour's stream, while `work` runs. */
async function longestLag({ w }: Installation, work: Promise<unknown>): Promise<number> {
  const { client, organization_id } = await w.tenant('Neighbour')
  const { feed } = w.server.context
  let [isOver, longest] = [false, 0]
  const done = work.finally(() => (isOver = true))
  while (!isOver) {
    const began = performance.now()
    const { id } = await client.members.create({ name: 'Grace' })
    for (let after: string | undefined, isSeen = false; !isSeen; ) {
      const page = await feed.page({ organization_id, after })
      isSeen = page.some(({ event }) => event.object.member_id === id)
      after = page.at(-1)?.position ?? after
    }
    longest = Math.max(longest, performance.now() - began)
  }
  await done
  return longest
}

test.runIf(isSoak)(
  'an organization of 100,000 members and 1,000,000 events moves, and its neighbours do not wait',
  async () => {
    await using here = await installation({ delivery: false })
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
    const file = join(folder.path, 'hotel.export')
    const out = await measure(() =>
      gatehouseProcess(['organization', 'export', organization_id, '--to', file, '--json'], here.env),
    )
    const { key, bytes, rows } = JSON.parse(out.result.stdout)
    expect(rows).toMatchObject({ members: members + 1 })
    const importing = measure(() =>
      gatehouseProcess(['organization', 'import', file, '--json'], there.env, key),
    )
    const lag = await longestLag(there, importing)
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
    const typed = await moved.devices.simulate(house.keypad.id, { keys: '8305127#' })
    expect(typed.events).toMatchObject([{ type: 'use' }])
    const device = await ScriptedDevice.connect({ ...house.edge.credentials, url: there.w.url })
    await device.until(found => found.holder('pin', '8305127') === house.member.id, 120_000)
    await device.close()
    console.log(
      `${members} members, ${events} events: exported in ${out.seconds.toFixed(1)} s (${(bytes / 1e6).toFixed(1)} MB), imported in ${into.seconds.toFixed(1)} s, verified in ${verified.seconds.toFixed(1)} s; longest wait of a neighbour ${lag.toFixed(0)} ms`,
    )
  },
  hours,
)
