import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  Chance,
  findFreePort,
  isSoak,
  makeEmptyFolder,
  manyOr,
  seed,
  startService,
} from '@gatehouse-access/testkit'
import { expect, test, vi } from 'vitest'
import {
  clientFor,
  environmentOf,
  type Installation,
  listIds,
  makeInstallation,
  newClient,
  startQuickly,
} from './installation.ts'

const chance = new Chance(seed)

const main = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url))
const patience = { timeout: 120_000, interval: 100 }

/** Runs a command and kills it after so many milliseconds. Returns whether it was still running. */
async function runAndKill(
  args: readonly string[],
  env: Record<string, string>,
  input: string,
  after: number,
): Promise<boolean> {
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

test.runIf(isSoak)(
  'killed at any moment, a backup is none and a restore has changed nothing',
  async () => {
    await using house = await makeInstallation()
    const server = await house.start()
    await vi.waitFor(async () => expect(await listIds(house, 'physical')).toHaveLength(1), patience)
    await newClient(server)
    const began = performance.now()
    expect((await house.run(['backup', 'now'])).code).toBe(0)
    const whole = performance.now() - began + 1500
    let kills = 0
    for (let tries = 0; kills < manyOr(20) && tries < 5 * manyOr(20); tries++) {
      const before = await listIds(house, 'physical')
      const wasKilled = await runAndKill(['backup', 'now'], house.env, '', chance.between(0, whole))
      kills += Number(wasKilled)
      const after = await listIds(house, 'physical')
      expect(after.slice(0, before.length)).toEqual(before)
      expect((await house.run(['backup', 'verify', after.at(-1) ?? ''])).stderr).toBe('')
    }
    console.log(`${kills} backups were killed`)
    expect(kills).toBe(manyOr(20))
    await vi.waitFor(async () => expect((await house.run(['backup', 'now'])).code).toBe(0), patience)
    await server[Symbol.asyncDispose]()
    await killRestores(house)
  },
  3_600_000,
)

async function killRestores(house: Installation): Promise<void> {
  let folder = await makeEmptyFolder()
  const restore = () => ['restore', '--to', 'latest', '--into', folder.path]
  let kills = 0
  for (let tries = 0; kills < manyOr(20) && tries < 5 * manyOr(20); tries++) {
    kills += Number(await runAndKill(restore(), house.env, house.recovery_key, chance.between(0, 6000)))
    if (!existsSync(join(folder.path, 'database'))) continue
    // It was done before it was killed: a restored database is whole.
    await (await startQuickly(environmentOf(folder.path), { jobs: false }))[Symbol.asyncDispose]()
    await folder[Symbol.asyncDispose]()
    folder = await makeEmptyFolder()
  }
  console.log(`${kills} restores were killed`)
  expect(kills).toBe(manyOr(20))
  expect(await house.run(restore(), house.recovery_key)).toMatchObject({ code: 0 })
  await (await startQuickly(environmentOf(folder.path), { jobs: false }))[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
}

test.runIf(isSoak)(
  'a service that is killed goes on with its log',
  async () => {
    await using house = await makeInstallation()
    const port = await findFreePort()
    const service = await startService({ port, env: { ...house.env, PORT: String(port) } })
    const pieces = () =>
      readdirSync(join(house.backups, 'wal'), { recursive: true, encoding: 'utf8' }).filter(name =>
        name.endsWith('.wal'),
      )
    await vi.waitFor(async () => expect(await listIds(house, 'physical')).toHaveLength(1), patience)
    // Written two seconds after the first start. A restore that finds none stops and asks.
    const ledger = join(house.data.path, 'checkpoints', 'ledger.txt')
    await vi.waitFor(() => expect(existsSync(ledger)).toBe(true), patience)
    await service.kill()
    const archived = pieces().length
    await using _server = await house.start()
    await vi.waitFor(() => expect(pieces().length).toBeGreaterThan(archived + 1), patience)
    expect(readdirSync(join(house.backups, 'wal'))).toHaveLength(1)
    expect((await house.run(['backup', 'now'])).code).toBe(0)
    expect(await listIds(house, 'physical')).toHaveLength(2)
    expect(await listIds(house, 'gap')).toEqual([])
    await using folder = await makeEmptyFolder()
    const args = ['restore', '--to', 'latest', '--into', folder.path]
    expect((await house.run(args, house.recovery_key)).code).toBe(0)
  },
  600_000,
)

/** Acceptance 2 of the specification: the number is in minutes. */
test.runIf(isSoak)(
  'every write that was acknowledged a second before a mistake is there again',
  async () => {
    const minutes = Number(process.env.GATEHOUSE_BACKUP_MINUTES ?? 1)
    await using house = await makeInstallation()
    await using server = await house.start({ backups: { archive: 30_000, look: 60_000, drills: false } })
    await vi.waitFor(async () => expect(await listIds(house, 'physical')).toHaveLength(1), patience)
    const { client, ...own } = await newClient(server)
    const acknowledged: { id: string; at: number }[] = []
    const until = Date.now() + minutes * 60_000
    const write = async (writer: number) => {
      for (let number = 0; Date.now() < until; number++) {
        const { id } = await client.members.create({ name: `Writer ${writer} number ${number}` })
        acknowledged.push({ id, at: Date.now() })
      }
    }
    await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)))
    await sleep(1500)
    const mistake = Date.now()
    const { db } = server.context
    const deleteSome = () =>
      db.query(
        `UPDATE members SET is_deleted = true WHERE id IN (
           SELECT id FROM members WHERE organization_id = $1 AND NOT is_deleted LIMIT 2000) RETURNING id`,
        [own.organization_id],
      )
    while ((await deleteSome()).length > 0);
    const made = Date.now()
    await sleep(1500)
    await server[Symbol.asyncDispose]()
    for (const [target, isThere] of [
      [mistake - 1000, true],
      [made + 100, false],
    ] as const) {
      await using folder = await makeEmptyFolder()
      const args = ['restore', '--to', new Date(target).toISOString(), '--into', folder.path]
      const began = performance.now()
      const said = await house.run(args, house.recovery_key)
      expect([said.code, said.stderr.replace('Recovery key: \n', '')]).toEqual([0, ''])
      const seconds = (performance.now() - began) / 1000
      await using restored = await startQuickly(environmentOf(folder.path), { jobs: false })
      const rows = await restored.context.db.query<{ id: string }>(
        'SELECT id FROM members WHERE NOT is_deleted',
      )
      const found = new Set(rows.map(({ id }) => id))
      const expected = acknowledged.filter(({ at }) => at <= target)
      console.log(
        `${acknowledged.length} writes, ${rows.length} there at ${target - mistake} ms, restored in ${seconds.toFixed(1)} s`,
      )
      expect(expected.filter(({ id }) => found.has(id))).toHaveLength(isThere ? expected.length : 0)
      await clientFor(restored, own)
    }
  },
  7_200_000,
)
