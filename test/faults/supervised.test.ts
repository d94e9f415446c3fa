import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  findFreePort,
  findPostmaster,
  launchService,
  makeDataFolder,
  makeEmptyFolder,
} from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { canSupervise, openEar } from './supervisor.ts'

const watchdog = 300

test.runIf(canSupervise)('the service feeds the watchdog only while its database answers', async () => {
  await using ear = await openEar(watchdog)
  await using folder = await makeDataFolder()
  const env = { ...ear.env, GATEHOUSE_DATA_DIR: folder.path, GATEHOUSE_LOG_LEVEL: 'info' }
  await using service = launchService({ port: await findFreePort(), env })
  const count = () => ear.heard().filter(line => line === 'WATCHDOG=1').length
  await expect.poll(count, { timeout: 60_000 }).toBeGreaterThan(1)
  expect(ear.heard()[0]).toBe('READY=1')
  for (const line of service.stdout().trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('msg')

  const group = processesBelow(findPostmaster(folder.path) ?? 0)
  for (const pid of group) process.kill(pid, 'SIGSTOP')
  // What was on its way may still arrive.
  const silence = async () => {
    const before = count()
    await sleep(3 * watchdog)
    return count() - before
  }
  await expect
    .poll(silence, { timeout: 30_000 })
    .toBe(0)
    .finally(() => {
      for (const pid of group) process.kill(pid, 'SIGCONT')
    })
  const before = count()
  await expect.poll(count, { timeout: 30_000 }).toBeGreaterThan(before)
  await service.terminate()
  await expect.poll(() => ear.heard().at(-1), { timeout: 30_000 }).toBe('STOPPING=1')
})

test.runIf(canSupervise)('the controller feeds the watchdog, and ends with a word', async () => {
  await using ear = await openEar(watchdog)
  await using folder = await makeEmptyFolder()
  const main = resolve(import.meta.dirname, '../../packages/edge/src/main.ts')
  const flags = [
    '--url',
    'http://127.0.0.1:9',
    '--hardware-id',
    'hw_TEST',
    '--secret',
    's',
    '--data',
    folder.path,
  ]
  const env = { ...process.env, ...ear.env, JOURNAL_STREAM: '1:1' }
  const child = spawn(process.execPath, [main, ...flags], { stdio: ['ignore', 'pipe', 'inherit'], env })
  let printed = ''
  child.stdout.on('data', chunk => {
    printed += chunk
  })
  await expect.poll(() => ear.heard().slice(0, 2), { timeout: 30_000 }).toEqual(['READY=1', 'WATCHDOG=1'])
  child.kill('SIGTERM')
  await once(child, 'exit')
  await expect.poll(() => ear.heard().at(-1), { timeout: 30_000 }).toBe('STOPPING=1')
  for (const line of printed.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('msg')
})

function processesBelow(pid: number): number[] {
  const rows = execFileSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const parents = rows.map(row => row.trim().split(/\s+/).map(Number))
  return [pid, ...parents.filter(([, parent]) => parent === pid).map(([child = 0]) => child)]
}
