import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Server } from '@gatehouse-access/server'
import { findFreePort, makeEmptyFolder, startService, within } from '@gatehouse-access/testkit'
import { expect, test, vi } from 'vitest'
import { makeDisk } from './disk.ts'
import { type Installation, makeInstallation, newClient } from './installation.ts'

const main = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url))
const patience = { timeout: 60_000, interval: 50 }

async function ids(house: Installation, kind: string): Promise<string[]> {
  const { stdout } = await house.run(['backup', 'list', '--json'])
  return JSON.parse(stdout || '[]').flatMap((entry: { id: string; kind: string }) =>
    entry.kind === kind ? [entry.id] : [],
  )
}

async function readAlarm({ url }: Server, reason: string): Promise<string | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return new RegExp(`^gatehouse_backup_failed\\{reason="${reason}"\\} (\\d)$`, 'm').exec(text)?.[1]
}

test(
  'a backup folder that is full, read-only or unplugged stops nothing but backups',
  within(120),
  async () => {
    using disk = makeDisk(48)
    await using house = await makeInstallation(disk.path)
    const log = new PassThrough()
    let said = ''
    log.on('data', chunk => {
      said += chunk
    })
    house.env.GATEHOUSE_LOG_LEVEL = 'error'
    await using server = await house.start({ log })
    await vi.waitFor(async () => expect(await ids(house, 'physical')).toHaveLength(1), patience)
    const { client } = await newClient(server)
    for (const fault of disk.faults) {
      fault.begin()
      await vi.waitFor(
        async () => expect([fault.name, await readAlarm(server, 'wal')]).toEqual([fault.name, '1']),
        patience,
      )
      expect(await client.members.create({ name: fault.name })).toMatchObject({ name: fault.name })
      const failed = await house.run(['backup', 'now'])
      expect([failed.code, failed.stderr.split('\n')]).toEqual([1, [expect.stringMatching(/\.$/), '']])
      fault.end()
      await vi.waitFor(
        async () => expect([fault.name, await readAlarm(server, 'wal')]).toEqual([fault.name, '0']),
        patience,
      )
    }
    // The service may be making one too, because the folder came back empty.
    await vi.waitFor(async () => expect((await house.run(['backup', 'now'])).code).toBe(0), patience)
    expect((await house.run(['backup', 'verify'])).stderr).toBe('')
    expect(said).toContain('"alarm":"backup_failed","reason":"wal"')
    expect((await client.members.list()).data).toHaveLength(disk.faults.length)
  },
)

test(
  'log that waits too long is given up: writes go on, and the gap is shown until the next backup',
  within(60),
  async () => {
    using disk = makeDisk(48)
    await using house = await makeInstallation(disk.path)
    const times = { archive: 100, look: 200, retry: 100, drills: false, most_kept: 1024 * 1024 }
    await using server = await house.start({ backups: times })
    await vi.waitFor(async () => expect(await ids(house, 'physical')).toHaveLength(1), patience)
    const { db } = server.context
    const slots = () => db.query("SELECT 1 FROM pg_replication_slots WHERE slot_name = 'gatehouse_backup'")
    const [, fault = disk.faults[0]] = disk.faults
    fault?.begin()
    await db.query("SELECT pg_logical_emit_message(false, 'test', repeat('x', 3000000))")
    await vi.waitFor(async () => expect(await slots()).toEqual([]), patience)
    await newClient(server)
    fault?.end()
    await vi.waitFor(async () => expect(await ids(house, 'physical')).toHaveLength(2), patience)
    expect(await ids(house, 'gap')).toHaveLength(1)
    expect(await slots()).toHaveLength(1)
  },
)

test(
  'a backup that is killed is none, and a service that is killed goes on with its log',
  within(60),
  async () => {
    await using house = await makeInstallation()
    const port = await findFreePort()
    const service = await startService({ port, env: { ...house.env, PORT: String(port) } })
    const pieces = () =>
      readdirSync(join(house.backups, 'wal'), { recursive: true, encoding: 'utf8' }).filter(name =>
        name.endsWith('.wal'),
      )
    await vi.waitFor(async () => expect(await ids(house, 'physical')).toHaveLength(1), patience)
    const backup = spawn(process.execPath, [main, 'backup', 'now'], { env: house.env, stdio: 'ignore' })
    const ended = new Promise(resolve => backup.once('exit', resolve))
    const draft = () => readdirSync(house.backups).find(name => name.endsWith('.partial'))
    await vi.waitFor(() => expect(draft()).toBeDefined(), { timeout: 60_000, interval: 2 })
    backup.kill('SIGKILL')
    await ended
    await service.kill()
    expect(await ids(house, 'physical')).toHaveLength(1)
    const archived = pieces().length
    await using _server = await house.start()
    await vi.waitFor(() => expect(pieces().length).toBeGreaterThan(archived + 1), patience)
    expect(readdirSync(join(house.backups, 'wal'))).toHaveLength(1)
    expect((await house.run(['backup', 'now'])).code).toBe(0)
    expect(await ids(house, 'physical')).toHaveLength(2)
    expect(await ids(house, 'gap')).toEqual([])
    await using folder = await makeEmptyFolder()
    expect(
      (await house.run(['restore', '--to', 'latest', '--into', folder.path], house.recovery_key)).code,
    ).toBe(0)
  },
)
