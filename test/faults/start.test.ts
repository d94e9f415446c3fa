import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, findConnection, type Pool } from '@gatehouse-access/server'
import {
  findFreePort,
  findPostmaster,
  holdMembers,
  isSoak,
  launchService,
  makeDataFolder,
  makeEmptyFolder,
  openAccess,
  type Service,
  type ServiceOptions,
  soak,
  startService,
  within,
} from '@gatehouse-access/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const isRoot = process.getuid?.() === 0
let owned: AsyncDisposableStack
let folder: string
let port: number

beforeEach(async () => {
  owned = new AsyncDisposableStack()
  folder = owned.use(await makeDataFolder()).path
  port = await findFreePort()
})
afterEach(() => owned.disposeAsync())

describe('the service as a process', within(120), () => {
  it('keeps its data from one start to the next, also after a kill -9, and starts at once', async () => {
    const first = await start()
    const { token } = await openAccess(openDatabase())
    const { id } = await createMember(first, token)
    expect((await first.terminate()).code).toBe(0)
    const second = await start()
    expect(await getMember(second, token, id)).toBe(200)
    await second.kill()
    const since = performance.now()
    const third = await start()
    const seconds = (performance.now() - since) / 1000
    expect(await getMember(third, token, id)).toBe(200)
    process.stdout.write(`start after a kill -9: ${seconds.toFixed(1)} s\n`)
  })

  soak('starts whole after its very first start was killed at one moment after the other', async () => {
    folder = owned.use(await makeEmptyFolder()).path
    const env = { GATEHOUSE_DATA_DIR: folder, GATEHOUSE_DEMO: 'true' }
    for (const wait of isSoak ? [100, 300, 500, 700, 900, 1200, 1500] : [300, 900]) {
      const service = launchService({ port, env })
      await sleep(wait)
      await service.kill()
    }
    const service = await start({ port, env })
    const token = /Bearer ([^']+)'/.exec(service.stdout())?.[1] ?? ''
    const answer = await fetch(`${service.url}/v2/members`, { headers: { authorization: `Bearer ${token}` } })
    expect(((await answer.json()) as { data: object[] }).data.length).toBeGreaterThan(0)
    expect(readdirSync(folder).filter(name => name.startsWith('draft-'))).toEqual([])
  })

  it('finishes a request under way on SIGTERM, then ends with 0, and PostgreSQL is gone', async () => {
    const service = await start()
    const db = openDatabase()
    const { token } = await openAccess(db)
    const { id } = await createMember(service, token)
    const postmaster = findPostmaster(folder)
    const hold = await holdMembers(db)
    const slow = editMember(service, token, id)
    await hold.waitedFor()
    const exited = service.terminate()
    const isAnswered = () =>
      getMember(service, token, id).then(
        () => true,
        () => false,
      )
    await expect.poll(isAnswered).toBe(false)
    await hold.release()
    expect(await slow).toBe(200)
    expect(await exited).toMatchObject({ code: 0, signal: null, stderr: '' })
    expect(postmaster).toBeDefined()
    expect(findPostmaster(folder)).toBe(undefined)
  })

  it('says in one sentence that the port is taken', async () => {
    const server = createServer().listen(port, '127.0.0.1')
    owned.defer(() => void server.close())
    expect(await failure({ port })).toBe(
      `Port ${port} on 127.0.0.1 is taken by another process; stop it or set PORT to another number.\n`,
    )
  })

  it('says in one sentence that the data folder is a file', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    expect(await failure({ port, env: { GATEHOUSE_DATA_DIR: file } })).toBe(
      `The data folder ${file} is not a writable folder (EEXIST): fix it, or choose another with GATEHOUSE_DATA_DIR.\n`,
    )
  })

  it.skipIf(isRoot)(
    'says in one sentence that the data folder is not writable (root may write anywhere)',
    async () => {
      const closed = join(folder, 'closed')
      mkdirSync(closed, { mode: 0o500 })
      expect(await failure({ port, env: { GATEHOUSE_DATA_DIR: closed } })).toBe(
        `The data folder ${closed} is not a writable folder (EACCES): fix it, or choose another with GATEHOUSE_DATA_DIR.\n`,
      )
    },
  )

  it('says in one sentence that another process uses the data folder', async () => {
    const { pid } = await start()
    expect(await failure({ port: await findFreePort() })).toBe(
      `The data folder ${folder} is in use by process ${pid}.\n`,
    )
  })

  it.each([
    ['postgres://gatehouse@127.0.0.1:1/gatehouse', 'connect ECONNREFUSED 127.0.0.1:1'],
    ['postgres://gatehouse@localhost:1/gatehouse', 'connect ECONNREFUSED 127.0.0.1:1'],
    ['postgres://gatehouse@database.invalid/gatehouse', 'database.invalid'],
    ['postgres://gatehouse@local/gatehouse?host=/nonexistent', 'connect ENOENT /nonexistent/.s.PGSQL.5432'],
  ])('says in one sentence that the database is unreachable: %s', async (url, reason) => {
    const env = { DATABASE_URL: url, GATEHOUSE_SECRET_KEY: Buffer.alloc(32).toString('base64') }
    const sentence = await failure({ port, env })
    expect(sentence).toContain(reason)
    expect(sentence).toMatch(/^The database cannot be used: [^\n]+[^.\s]\.\n$/)
  })
})

async function start(options: ServiceOptions = { port }): Promise<Service> {
  return owned.use(await startService({ ...options, env: { GATEHOUSE_DATA_DIR: folder, ...options.env } }))
}

/** Returns what a service that cannot start writes to stderr, which must be its only output. */
async function failure(options: ServiceOptions): Promise<string> {
  const service = launchService({ ...options, env: { GATEHOUSE_DATA_DIR: folder, ...options.env } })
  const { code, stdout, stderr } = await service.exited
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr.trimEnd()).not.toContain('\n')
  return stderr
}

function openDatabase(): Pool {
  return owned.use(connect(findConnection(folder), 2))
}

async function createMember({ url }: Service, token: string): Promise<{ id: string; name: string }> {
  const answer = await fetch(`${url}/v2/members`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"name":"Ada"}',
  })
  return (await answer.json()) as { id: string; name: string }
}

async function getMember({ url }: Service, token: string, id: string): Promise<number> {
  return (await fetch(`${url}/v2/members/${id}`, { headers: { authorization: `Bearer ${token}` } })).status
}

async function editMember({ url }: Service, token: string, id: string): Promise<number> {
  const answer = await fetch(`${url}/v2/members/${id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"name":"Grace"}',
  })
  return answer.status
}
