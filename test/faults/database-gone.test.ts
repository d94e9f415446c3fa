import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Endpoint, endpoints, prefixOf } from '@gatehouse-access/api'
import { connect, findConnection, startEmbedded } from '@gatehouse-access/server'
import {
  findFreePort,
  findPostmaster,
  makeDataFolder,
  manyOr,
  openAccess,
  type Service,
  startService,
  within,
} from '@gatehouse-access/testkit'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

/** Seconds. The service waits 5 seconds for its database, plus the delays of a busy machine. */
const patience = 15
const log = pino({ level: 'silent' })
const secret = Buffer.alloc(32).toString('base64')
let owned: AsyncDisposableStack
let folder: string
let service: Service
let token: string

beforeEach(async () => {
  owned = new AsyncDisposableStack()
  folder = owned.use(await makeDataFolder()).path
})
afterEach(() => owned.disposeAsync())

describe('when PostgreSQL is gone', within(120), () => {
  it('answers 503 everywhere at once, stays up, and answers again within 5 seconds of its return', async () => {
    const postgres = await startPostgres()
    await startOver(socketUrl())
    const load = putUnderLoad()
    await sleep(500)
    await postgres.stop()
    await sleep(1100)
    for (const endpoint of endpoints) await expectUnavailable(endpoint)
    const burst = await Promise.all(Array.from({ length: 200 }, () => call('GET', '/v2/members')))
    expect(new Set(burst.map(({ status }) => status))).toEqual(new Set([503]))
    expect(Math.max(...burst.map(({ seconds }) => seconds))).toBeLessThan(patience)
    expect((await call('GET', '/healthz')).status).toBe(200)
    expect((await call('GET', '/metrics')).status).toBe(200)
    expect(await call('GET', '/readyz')).toMatchObject({ status: 503, body: { type: 'unavailable' } })
    await startPostgres()
    await timeReturn()
    await load.expectCalm()
  })

  it('survives its embedded PostgreSQL being killed again and again', async () => {
    await startOver()
    const load = putUnderLoad()
    const returns: number[] = []
    for (let kill = 0; kill < manyOr(1); kill++) {
      await sleep(500)
      process.kill(findPostmaster(folder) as number, 'SIGKILL')
      returns.push(await timeReturn())
    }
    expect(Math.min(...returns)).toBeLessThan(5000)
    await load.expectCalm()
  })

  it('does not hang on a database that takes connections and says nothing', async () => {
    await startPostgres()
    const gate = await openGate(join(findConnection(folder).host, '.s.PGSQL.5432'))
    await startOver(`postgres://gatehouse@127.0.0.1:${gate.port}/gatehouse`)
    gate.silence()
    const answers = await Promise.all(Array.from({ length: 50 }, () => call('GET', '/v2/members')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
    expect(Math.max(...answers.map(({ seconds }) => seconds))).toBeLessThan(patience)
    gate.open()
    await timeReturn()
  })
})

async function startPostgres() {
  return owned.use(await startEmbedded({ data_dir: folder, log, durable: false }))
}

function socketUrl(): string {
  return `postgres://gatehouse@localhost/gatehouse?host=${encodeURIComponent(findConnection(folder).host)}`
}

/** Starts the service on its own database, or on the database of a URL. */
async function startOver(url?: string): Promise<void> {
  const env = url ? { DATABASE_URL: url, GATEHOUSE_SECRET_KEY: secret } : { GATEHOUSE_DATA_DIR: folder }
  service = owned.use(await startService({ port: await findFreePort(), env }))
  await using db = connect(findConnection(folder), 1)
  token = (await openAccess(db)).token
}

interface Outcome {
  readonly status: number
  readonly body: { readonly type?: string }
  readonly retry_after: string | null
  readonly seconds: number
}

async function call(method: string, path: string, body?: object): Promise<Outcome> {
  const since = performance.now()
  const answer = await fetch(service.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return {
    status: answer.status,
    body: text.startsWith('{') ? JSON.parse(text) : {},
    retry_after: answer.headers.get('retry-after'),
    seconds: (performance.now() - since) / 1000,
  }
}

async function expectUnavailable({ id, method, path, params }: Endpoint): Promise<void> {
  const target = params.reduce(
    (url, { name, kind }) => url.replace(`{${name}}`, `${prefixOf(kind)}_${'0'.repeat(20)}`),
    `/v2${path}`,
  )
  const outcome = await call(method, target, method === 'POST' || method === 'PATCH' ? {} : undefined)
  expect({ id, ...outcome }).toMatchObject({ id, status: 503, body: { type: 'unavailable' } })
  expect(Number(outcome.retry_after)).toBeGreaterThan(0)
  expect(outcome.seconds).toBeLessThan(patience)
}

async function timeReturn(): Promise<number> {
  const begin = performance.now()
  const isBack = async () => {
    const outcomes = [await call('GET', '/readyz'), await call('POST', '/v2/members', { name: 'Ada' })]
    return outcomes.map(({ status }) => status)
  }
  await expect.poll(isBack, { interval: 50 }).toEqual([200, 200])
  return performance.now() - begin
}

/**
 * Reads and writes, also in transactions, from eight clients. They may only see 200, or 503 while the
 * database is down.
 */
function putUnderLoad(): { expectCalm(): Promise<void> } {
  const end = new AbortController()
  const outcomes: Outcome[] = []
  const clients = Array.from({ length: 8 }, async (_, client) => {
    for (let turn = 0; !end.signal.aborted; turn++) outcomes.push(await takeTurn(client + turn))
  })
  return {
    async expectCalm() {
      end.abort()
      await Promise.all(clients)
      expect(outcomes.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
      expect(Math.max(...outcomes.map(({ seconds }) => seconds))).toBeLessThan(patience)
    },
  }
}

async function takeTurn(turn: number): Promise<Outcome> {
  const outcome = await (turn % 3 === 0
    ? call('GET', '/v2/events?limit=5')
    : turn % 3 === 1
      ? call('POST', '/v2/members', { name: 'Ada' })
      : call('POST', '/v2/grants', { member: {}, member_group_ids: [], credentials: { pin: {} } }))
  if (outcome.status === 503) await sleep(20)
  return outcome
}

/**
 * A proxy to the database that can fall silent: it cuts open connections, and accepts new ones without ever
 * responding.
 */
async function openGate(path: string) {
  let isSilent = false
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
    return socket
  }
  const server = createServer(socket => {
    keep(socket)
    if (!isSilent) socket.pipe(keep(dial(path))).pipe(socket)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  owned.defer(() => {
    cut()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port,
    silence() {
      isSilent = true
      cut()
    },
    open() {
      isSilent = false
      cut()
    },
  }
}
