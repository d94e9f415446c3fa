import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { listInstanceAlarms, type Server } from '@gatehouse-access/server'
import { compiled, soak, within } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type FailingDisk, type Fault, makeDisk } from './disk.ts'
import { type Installation, listIds, makeInstallation, newClient } from './installation.ts'

const main = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url))
const patience = { timeout: 60_000, interval: 200 }
const owned = new AsyncDisposableStack()
let disk: FailingDisk
let house: Installation
let server: Server
let said = ''

beforeAll(async () => {
  disk = owned.use(makeDisk(96))
  house = owned.use(await makeInstallation(disk.path))
  house.env.GATEHOUSE_LOG_LEVEL = 'error'
  const log = new PassThrough()
  log.on('data', chunk => {
    said += chunk
  })
  const times = {
    archive: 500,
    look: 500,
    retry: 200,
    drills: false,
    gives_way: false,
    most_kept: 4 * 1024 * 1024,
  }
  server = owned.use(await house.start({ log, backups: times }))
  await vi.waitFor(async () => expect(await ids('physical')).toHaveLength(1), patience)
}, within(60).timeout)
afterAll(() => owned.disposeAsync())

async function ids(kind: string): Promise<string[]> {
  return listIds(house, kind)
}

async function readGaps(): Promise<{ is_over: boolean }[]> {
  const { stdout } = await house.run(['backup', 'list', '--json'])
  return JSON.parse(stdout).flatMap((entry: { kind: string; to: string | null }) =>
    entry.kind === 'gap' ? [{ is_over: entry.to !== null }] : [],
  )
}

/** A file system is not made read-only while a file of it is written. */
async function begin(fault: Fault): Promise<void> {
  await vi.waitFor(() => fault.begin(), { timeout: 60_000, interval: 20 })
}

async function readAlarm(reason: string): Promise<string | undefined> {
  const text = await (await fetch(`${server.url}/metrics`)).text()
  return new RegExp(`^gatehouse_backup_failed\\{reason="${reason}"\\} (\\d)$`, 'm').exec(text)?.[1]
}

/** What the operator reads of. */
async function listAlarms(): Promise<string[]> {
  const { db } = server.context
  return (await listInstanceAlarms(db, { is_on: true, limit: 9 })).map(
    ({ type, reason }) => `${type} ${reason}`,
  )
}

test('a backup that is killed is none', within(60), async () => {
  const env = { ...house.env, NODE_COMPILE_CACHE: compiled }
  const backup = spawn(process.execPath, [main, 'backup', 'now'], { env, stdio: 'ignore' })
  const ended = new Promise(resolve => backup.once('exit', resolve))
  const draft = () => readdirSync(house.backups).find(name => name.endsWith('.partial'))
  await vi.waitFor(() => expect(draft()).toBeDefined(), { timeout: 60_000, interval: 2 })
  backup.kill('SIGKILL')
  await ended
  expect(await ids('physical')).toHaveLength(1)
})

test('a folder that is full, read-only or unplugged stops nothing but backups', within(120), async () => {
  const { client } = await newClient(server)
  for (const fault of disk.faults) {
    const alarm = async () => [fault.name, await readAlarm('wal')]
    await begin(fault)
    await vi.waitFor(async () => expect(await alarm()).toEqual([fault.name, '1']), patience)
    await vi.waitFor(async () => expect(await listAlarms()).toContain('backup_failed wal'), patience)
    expect(await client.members.create({ name: fault.name })).toMatchObject({ name: fault.name })
    const failed = await house.run(['backup', 'now'])
    expect([failed.code, failed.stderr.split('\n')]).toEqual([1, [expect.stringMatching(/\.$/), '']])
    fault.end()
    await vi.waitFor(async () => expect(await alarm()).toEqual([fault.name, '0']), patience)
    await vi.waitFor(async () => expect(await listAlarms()).not.toContain('backup_failed wal'), patience)
  }
  // The service may be making one too, because the folder came back empty.
  await vi.waitFor(async () => expect((await house.run(['backup', 'now'])).code).toBe(0), patience)
  expect((await house.run(['backup', 'verify'])).stderr).toBe('')
  expect(said).toContain('"alarm":"backup_failed","reason":"wal"')
  expect((await client.members.list()).data).toHaveLength(disk.faults.length)
})

soak('log that waits too long is given up: writes go on, and the gap is shown', within(60), async () => {
  const { db } = server.context
  const slots = () => db.query("SELECT 1 FROM pg_replication_slots WHERE slot_name = 'gatehouse_backup'")
  const [, fault = disk.faults[0]] = disk.faults
  if (fault) await begin(fault)
  await db.query("SELECT pg_logical_emit_message(false, 'test', repeat('x', 9000000))")
  await vi.waitFor(async () => expect(await slots()).toEqual([]), patience)
  await newClient(server)
  fault?.end()
  // Not just any new backup: one that was under way before does not end the gap.
  await vi.waitFor(async () => expect(await readGaps()).toEqual([{ is_over: true }]), patience)
  expect(await slots()).toHaveLength(1)
})
