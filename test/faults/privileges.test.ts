import { chmodSync, cpSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { connect, findConnection } from '@gatehouse-access/server'
import {
  findFreePort,
  findPostmaster,
  launchService,
  makeDataFolder,
  makeEmptyFolder,
  openAccess,
  type Service,
  soak,
  startService,
  within,
} from '@gatehouse-access/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { embeddedCluster } from './cluster.ts'

let owned: AsyncDisposableStack
let folder: string
beforeEach(async () => {
  owned = new AsyncDisposableStack()
  folder = owned.use(await makeDataFolder()).path
})
afterEach(() => owned.disposeAsync())

const isRoot = process.getuid?.() === 0

describe.runIf(isRoot)('a service that is started as root', within(180), () => {
  it('is an unprivileged account when it answers, goes on after its PostgreSQL died, and starts again', async () => {
    folder = owned.use(await makeEmptyFolder()).path
    const service = await start()
    expectUnprivileged(service)
    for (const name of ['.', 'secret-key', 'lock', 'checkpoints'])
      expect(statSync(join(folder, name)).uid).toBe(userOf(service.pid))
    expect(await createMember(service)).toBe(200)
    process.kill(findPostmaster(folder) ?? 0, 'SIGKILL')
    await expect.poll(() => createMember(service), { timeout: 60_000, interval: 200 }).toBe(200)
    await service.terminate()
    const again = await start()
    expectUnprivileged(again)
    expect(await createMember(again)).toBe(200)
  })

  soak('does everything from a checkout that the account cannot enter', async () => {
    const service = await start({}, join(await copyCheckout(), 'packages/server/src/main.ts'))
    expectUnprivileged(service)
    expect(await createMember(service)).toBe(200)
    const read = async (path: string) => (await fetch(service.url + path, { redirect: 'manual' })).status
    for (const path of ['/', '/docs', '/sign-in', '/guest', '/v2/openapi.json', '/assets/pages.css'])
      expect([path, await read(path)]).toEqual([path, expect.toBeOneOf([200, 302, 303, 404])])
    // The OAuth engine, the password list and passkeys are loaded on first use.
    const token = await fetch(`${service.url}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'x' }),
    })
    expect([token.status, await token.json()]).toEqual([
      expect.toBeOneOf([400, 401]),
      expect.objectContaining({ error: expect.any(String) }),
    ])
  })

  soak('stays root when it is told to', async () => {
    const service = await start({ GATEHOUSE_RUN_AS: 'root' })
    expect(userOf(service.pid)).toBe(0)
  })

  it('takes a low port before it is another', async () => {
    const port = await findLowPort()
    if (port === undefined) return
    const service = owned.use(await startService({ port, env: { GATEHOUSE_DATA_DIR: folder } }))
    expectUnprivileged(service)
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
  })

  soak('says in one sentence that the account cannot reach the database', async () => {
    const cluster = owned.use(await embeddedCluster())
    const host = await relayForRoot(new URL(String(cluster.env.DATABASE_URL)))
    const env = { ...cluster.env, DATABASE_URL: host, GATEHOUSE_DATA_DIR: folder }
    const { code, stderr } = await launchService({ port: await findFreePort(), env }).exited
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^The user .+, which the service runs as, cannot reach the database: .*EACCES.*\n$/,
    )
  })

  it('says in one sentence that there is no such account', async () => {
    const env = { GATEHOUSE_DATA_DIR: folder, GATEHOUSE_RUN_AS: 'nobody-by-this-name' }
    const { code, stderr } = await launchService({ port: await findFreePort(), env }).exited
    expect([code, stderr]).toEqual([
      1,
      'GATEHOUSE_RUN_AS is "nobody-by-this-name": this machine has no such account.\n',
    ])
  })
})

/** Returns the URL of a database whose socket is in a folder that only root can enter. */
async function relayForRoot(url: URL): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'gatehouse-root-'))
  owned.defer(() => rm(path, { recursive: true }))
  const real = join(String(url.searchParams.get('host')), `.s.PGSQL.${url.port}`)
  const relay = createServer(socket => {
    const there = createConnection(real)
    socket.pipe(there).pipe(socket)
    for (const end of [socket, there]) end.on('error', () => socket.destroy())
  })
  relay.listen(join(path, '.s.PGSQL.5432'))
  owned.defer(() => void relay.close())
  return `postgres://${url.username}@localhost:5432${url.pathname}?host=${encodeURIComponent(path)}`
}

async function start(env = {}, program?: string): Promise<Service> {
  const options = { port: await findFreePort(), env: { GATEHOUSE_DATA_DIR: folder, ...env } }
  return owned.use(await startService(program ? { ...options, program } : options))
}

/** Expects real, effective, saved and file system ids to be equal, and no root group. */
function expectUnprivileged({ pid }: Service): void {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  for (const name of ['Uid', 'Gid', 'Groups']) {
    const ids = new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1]?.trim().split(/\s+/).map(Number)
    expect([name, new Set(ids).size, ids?.includes(0)]).toEqual([name, 1, false])
  }
  expect(/^CapEff:\s*(\w+)$/m.exec(status)?.[1]).toMatch(/^0+$/)
}

function userOf(pid: number): number {
  return statSync(`/proc/${pid}/task`).uid
}

async function createMember({ url }: Service): Promise<number> {
  await using db = connect(findConnection(folder), 1)
  const { token } = await openAccess(db).catch(() => ({ token: '' }))
  const answer = await fetch(`${url}/v2/members`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"name":"Ada"}',
  })
  return answer.status
}

async function findLowPort(): Promise<number | undefined> {
  const start = Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8'))
  return start >= 1024 ? 1023 - (process.pid % 200) : undefined
}

/** Copies the packages into a folder with mode 0700, which only its owner can enter. */
async function copyCheckout(): Promise<string> {
  const root = resolve(import.meta.dirname, '../..')
  const copy = await mkdtemp(join(tmpdir(), 'gatehouse-checkout-'))
  owned.defer(() => rm(copy, { recursive: true, force: true }))
  chmodSync(copy, 0o700)
  cpSync(join(root, 'packages'), join(copy, 'packages'), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}
