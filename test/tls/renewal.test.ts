import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, createClient } from '@gatehouse-access/sdk'
import { connect, findConnection } from '@gatehouse-access/server'
import {
  findFreePort,
  isSoak,
  launchService,
  makeDataFolder,
  manyOr,
  openAccess,
  within,
  world,
} from '@gatehouse-access/testkit'
import { Agent, fetch as fetchOver } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ScriptedDevice } from '../devices/scripted-device.ts'
import { type Authority, startAuthority } from './authority.ts'
import { name, shown, startTls } from './stage.ts'

let authority: Authority
beforeAll(async () => {
  if (isSoak) authority = await startAuthority()
}, within(60).timeout)
afterAll(() => authority?.[Symbol.asyncDispose]())

test.runIf(isSoak)('no device loses its connection over a renewal', within(60), async () => {
  await using w = await world()
  const { directory, http_port } = authority
  await using server = await startTls(w, { mode: 'acme', name, directory, http_port })
  await server.context.certificates?.refresh()
  const { client } = await w.tenant()
  const devices = await connectMany(client, server.url, manyOr(15))
  const closings = watchClosings(devices)
  const before = await shown(server.url, authority.root)
  w.clock.advance(64 * 86_400)
  await server.context.certificates?.refresh()
  expect((await shown(server.url, authority.root)).fingerprint256).not.toBe(before.fingerprint256)
  expect(closings()).toEqual([])
  expect(new Set(await Promise.all(devices.map(isAlive)))).toEqual(new Set([true]))
  for (const { socket } of devices) socket.terminate()
})

const faketime = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketime.so.1`

/** The whole service, as a process whose clock jumps by 61 days while 200 devices are connected. */
test.runIf(isSoak && existsSync(faketime))('a service renews by itself after 61 days', async () => {
  await using folder = await makeDataFolder()
  const ca = join(folder.path, 'ca.pem')
  const moved = join(folder.path, 'time')
  await Promise.all([writeFile(ca, authority.ca), writeFile(moved, '+0')])
  const port = await findFreePort()
  const env = {
    GATEHOUSE_DATA_DIR: folder.path,
    GATEHOUSE_TLS: 'acme',
    GATEHOUSE_ACME_DIRECTORY: authority.directory,
    GATEHOUSE_HTTP_PORT: String(authority.http_port),
    GATEHOUSE_PUBLIC_URL: `https://${name}`,
    GATEHOUSE_LOG_LEVEL: 'info',
    NODE_EXTRA_CA_CERTS: ca,
    ...{ LD_PRELOAD: faketime, FAKETIME_TIMESTAMP_FILE: moved, FAKETIME_NO_CACHE: '1' },
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  await using service = launchService({ port, env })
  const url = `https://127.0.0.1:${port}`
  const fingerprint = () =>
    shown(url, authority.root).then(
      found => found.fingerprint256,
      () => undefined,
    )
  const began = performance.now()
  await expect.poll(fingerprint, { timeout: 60_000, interval: 200 }).toBeDefined()
  console.log(`https answers after ${Math.round(performance.now() - began)} ms`)
  await using db = connect(findConnection(folder.path), 1)
  const { token } = await openAccess(db)
  const client = createClient({ base_url: `${url}/v2`, token, fetch: trusting() })
  const devices = await connectMany(client, url, 200)
  const closings = watchClosings(devices)
  const before = await fingerprint()
  await writeFile(moved, '+61d')
  // Renewal begins at a moment within three days: if it is not due yet, a few days more make it so.
  await sleep(15_000)
  if ((await fingerprint()) === before) await writeFile(moved, '+63d')
  await expect.poll(fingerprint, { timeout: 60_000, interval: 500 }).not.toBe(before)
  expect(closings()).toEqual([])
  expect(new Set(await Promise.all(devices.map(isAlive)))).toEqual(new Set([true]))
  console.log(
    service
      .stdout()
      .split('\n')
      .filter(line => line.includes('certificate'))
      .join('\n'),
  )
  for (const { socket } of devices) socket.terminate()
})

/** Returns a fetch that trusts the authority, and expects the public name. */
function trusting(): typeof fetch {
  const dispatcher = new Agent({ connect: { ca: authority.root, servername: name } })
  return ((url: string, init: object) => fetchOver(url, { ...init, dispatcher })) as unknown as typeof fetch
}

async function connectMany(client: Client, url: string, count: number): Promise<ScriptedDevice[]> {
  const { id: site_id } = await client.sites.create({ name: 'Tower', timezone: 'Europe/Madrid' })
  const tls = { ca: authority.root, servername: name }
  const devices: ScriptedDevice[] = []
  for (let left = count; left > 0; left -= 25)
    devices.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(25, left) }, async (_, index) => {
          const hardware_id = `hw_TLS-${left}-${index}`
          const device = await client.devices.create({
            name: 'Door',
            site_id,
            product_id: 'controller',
            hardware_id,
          })
          const { secret } = await client.devices.issue_credentials(device.id)
          const made = await ScriptedDevice.open({ url, hardware_id, secret, tls })
          made.hello()
          await made.next('welcome', 60_000)
          keepTalking(made)
          return made
        }),
      )),
    )
  return devices
}

/** Controllers ping, and are closed when they fall silent. */
function keepTalking(device: ScriptedDevice): void {
  const ping = () => device.send({ type: 'ping', sent_at: new Date().toISOString() })
  const timer = setInterval(ping, 10_000)
  device.socket.once('close', () => clearInterval(timer))
}

/** Returns why connections were closed so far. */
function watchClosings(devices: readonly ScriptedDevice[]): () => string[] {
  const closings: string[] = []
  for (const { closed } of devices) void closed.then(({ code, reason }) => closings.push(`${code} ${reason}`))
  return () => closings
}

function isAlive({ socket }: ScriptedDevice): Promise<boolean> {
  if (socket.readyState !== socket.OPEN) return Promise.resolve(false)
  return new Promise(resolve => {
    socket.once('pong', () => resolve(true))
    socket.once('close', () => resolve(false))
    socket.ping()
  })
}
