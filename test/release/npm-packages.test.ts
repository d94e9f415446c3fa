import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@gatehouse-access/sdk'
import { findFreePort } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../../scripts/release/bundle.ts'
import { openBrowser } from '../browser/browser.ts'
import { findPublished, isPublished, plainEnv, published, run } from './published.ts'
import { typedUse } from './typed-use.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-published-'))
  // Started as root, the service becomes another user, who has to reach its data.
  chmodSync(folder, 0o711)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.runIf(isPublished)('what is published', () => {
  test('is the same bytes when it is built again', async () => {
    const before = readFileSync(join(published, 'SHA256SUMS'), 'utf8')
    await run(process.execPath, ['scripts/release.ts'], {
      cwd: root,
      env: { PATH: process.env.PATH, TMPDIR: folder },
    })
    expect(readFileSync(join(published, 'SHA256SUMS'), 'utf8')).toBe(before)
    await run('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: published })
  })

  test('the SDK is accepted by two majors of TypeScript, and runs in Chromium', async () => {
    const project = await installSdk()
    writeFileSync(join(project, 'use.mts'), typedUse)
    const flags =
      '--noEmit --strict --target es2022 --module nodenext --lib es2022,dom,dom.iterable use.mts'.split(' ')
    for (const name of ['typescript-5', 'typescript-7'])
      expect(await run('node', [`node_modules/${name}/bin/tsc`, ...flags], { cwd: project })).toBe('')
    const client = readFileSync(join(project, 'node_modules/@gatehouse-access/sdk/index.js'))
    expect(await askInBrowser(client)).toBe('function')
  })

  test('the service and the controller, installed by npm, serve, decide, restart and go', async () => {
    const prefix = join(folder, 'prefix')
    mkdirSync(prefix)
    const archives = [/^gatehouse-\d.*tgz$/, /^gatehouse-edge-\d.*tgz$/].map(findPublished)
    await run('npm', ['install', '--global', '--prefix', prefix, '--loglevel=error', ...archives])
    const port = await findFreePort()
    const env = { ...plainEnv, PORT: String(port), GATEHOUSE_DATA_DIR: join(folder, 'data') }
    const url = `http://127.0.0.1:${port}`
    const gatehouse = join(prefix, 'bin/gatehouse')

    let stop = await start(gatehouse, ['serve'], env, url)
    const page = await fetch(url, { headers: { accept: 'text/html' } })
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<title>')])
    let client = createClient({
      base_url: `${url}/v2`,
      token: (await run(gatehouse, ['token'], { env })).trim(),
    })
    const [keypad] = (await client.devices.list({ q: 'street keypad' })).data
    expect((await client.devices.simulate(keypad?.id ?? '', { keys: '123456#' })).events).toHaveLength(1)
    await expectHolidays(client)
    const member = await client.members.create({ name: 'Kept over a restart' })
    await stop()

    stop = await start(gatehouse, ['serve'], env, url)
    client = createClient({ base_url: `${url}/v2`, token: (await run(gatehouse, ['token'], { env })).trim() })
    expect((await client.members.get(member.id)).name).toBe('Kept over a restart')
    await connectController(client, join(prefix, 'bin/gatehouse-edge'), url)
    await stop()

    expect(await measureWithoutNode(prefix)).toBeLessThan(40)
    await run('npm', [
      'uninstall',
      '--global',
      '--prefix',
      prefix,
      '@gatehouse-access/gatehouse',
      '@gatehouse-access/gatehouse-edge',
    ])
    expect(readdirSync(join(prefix, 'bin'))).toEqual([])
    expect(existsSync(join(folder, 'data/secret-key'))).toBe(true)
  })
})

async function installSdk(): Promise<string> {
  const project = join(folder, 'project')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "private": true }')
  const compilers = ['typescript-5@npm:typescript@5.9.3', 'typescript-7@npm:typescript@7.0.2']
  await run('npm', ['install', '--loglevel=error', findPublished(/^gatehouse-sdk-/), ...compilers], {
    cwd: project,
  })
  return project
}

/** Returns the type of what a page imports from the module. */
async function askInBrowser(module: Buffer): Promise<unknown> {
  const server = createServer((request, response) => {
    const is_module = request.url === '/sdk.mjs'
    response.setHeader('content-type', is_module ? 'text/javascript' : 'text/html')
    response.end(is_module ? module : '<!doctype html><title>empty</title>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const browser = await openBrowser()
  const page = await (await browser.newContext()).newPage()
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const found = await page.evaluate(
    `import('/sdk.mjs').then(sdk => typeof sdk.createClient({ base_url: location.origin, token: 'x' }).members.list)`,
  )
  await browser.close()
  server.close()
  return found
}

/** Starts a program, waits until the URL is ready, and returns how to stop it. */
async function start(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  url: string,
): Promise<() => Promise<void>> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(child, 'exit')
  const isReady = () => fetch(`${url}/readyz`).then(response => response.ok)
  const ready = expect.poll(() => isReady().catch(() => false), { timeout: 600_000 }).toBe(true)
  await Promise.race([ready, ended.then(([code]) => expect.fail(`${program} ended with ${code}`))])
  return async () => {
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  }
}

/** The tables of holidays are a program of their own. */
async function expectHolidays(client: ReturnType<typeof createClient>): Promise<void> {
  const source = { type: 'country' as const, country: 'ES', region: null, kinds: ['public' as const] }
  const { id } = await client.calendars.create({ name: 'Spain', source })
  await expect
    .poll(async () => (await client.calendars.get(id)).refreshed_at, { timeout: 60_000 })
    .not.toBeNull()
  expect((await client.calendar_days.list(id, { limit: 100 })).data.length).toBeGreaterThan(50)
}

async function connectController(
  client: ReturnType<typeof createClient>,
  program: string,
  url: string,
): Promise<void> {
  const [site] = (await client.sites.list()).data
  const device = await client.devices.create({
    name: 'Lobby',
    site_id: site?.id ?? '',
    product_id: 'controller',
    hardware_id: 'hw_LOBBY-1',
  })
  const { secret } = await client.devices.issue_credentials(device.id)
  const args = ['--url', url, '--hardware-id', 'hw_LOBBY-1', '--data', join(folder, 'edge')]
  const controller = spawn(program, args, {
    env: { ...plainEnv, GATEHOUSE_EDGE_SECRET: secret },
    stdio: 'ignore',
  })
  await expect
    .poll(async () => (await client.devices.get(device.id)).status.online, { timeout: 60_000 })
    .toBe(true)
  controller.kill('SIGTERM')
  await once(controller, 'exit')
}

/** Megabytes. */
async function measureWithoutNode(prefix: string): Promise<number> {
  const place = join(prefix, 'lib/node_modules/@gatehouse-access/gatehouse-edge')
  const output = await run('du', ['-sm', '--exclude=node_modules', place])
  return Number(output.split('\t')[0])
}
