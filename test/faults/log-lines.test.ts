import { AbsenceLog, type Timers } from '@gatehouse-access/server'
import {
  holdTables,
  type Receiver,
  receiver,
  type Tenant,
  type World,
  within,
  world,
} from '@gatehouse-access/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { building } from '../devices/building.ts'
import { ScriptedDevice } from '../devices/scripted-device.ts'
import { type Client, found, password, register, signUp } from '../oauth/people.ts'
import { Visitor } from '../oauth/visitor.ts'
import { type Network, openNetwork } from './network.ts'

const gone = 'the database cannot be reached: requests are refused until it is back'
const still = 'the database still cannot be reached'
const back = 'the database is back'
const busy = 'too much is waiting for the database; further requests are refused'

interface Line {
  readonly msg: string
  readonly failures?: number
}

let owned: AsyncDisposableStack
let network: Network
let timers: ManualTimers
let lines: Line[]
let w: World
let tenant: Tenant
let hooks: Receiver
let owner: Visitor
let client: Client
let door: Awaited<ReturnType<typeof building>>
let device: ScriptedDevice

beforeEach(async () => {
  owned = new AsyncDisposableStack()
  timers = new ManualTimers()
  lines = []
  w = owned.use(await openWorld())
  hooks = owned.use(await receiver())
  tenant = await w.tenant()
  door = await building(w, tenant)
  device = await ScriptedDevice.connect(door.credentials)
  owned.defer(() => device.socket.terminate())
  owner = await signUp(w, 'owner@example.com')
  await found(owner)
  client = await register(owner)
  await tenant.client.webhooks.create({ url: hooks.url, filter: [{ object_type: 'member' }] })
  await tenant.client.members.create({ name: 'Ada' })
  await hooks.waitFor(1)
  lines.length = 0
})
afterEach(() => owned.disposeAsync())

/** Waits for the heartbeat. Components with a dedicated connection are the last to recover. */
async function sayAlive(): Promise<void> {
  const { db } = w.server.context
  const [row] = await db.query<{ now: string }>('SELECT clock_timestamp() AS now')
  const since = () => db.query('SELECT 1 FROM living_processes WHERE seen_at > $1', [row?.now])
  await expect.poll(since, { timeout: 20_000 }).toHaveLength(1)
}

describe('the log while the database is away', within(60), () => {
  it('has a line when it goes, one a minute with a count, and one when it is back, whatever is asked', async () => {
    const streams = owned.use(await followEvents())
    network.turnAway()
    await expect.poll(askOnce).toBe(503)
    for (let minute = 1; minute <= 3; minute++) {
      await askEverything()
      timers.pass(60_000)
      expect(told()).toEqual([gone, ...Array(minute).fill(still)])
      expect(lines.at(-1)?.failures).toBeGreaterThan(20)
    }
    network.heal()
    await expect.poll(askOnce, { timeout: 20_000 }).toBe(200)
    // Background components have noticed the recovery as well.
    const { id } = await tenant.client.members.create({ name: 'Grace' })
    await streams.saw(id)
    await hooks.waitFor(2)
    await sayAlive()
    timers.pass(3000)
    expect(told()).toEqual([gone, still, still, still, back])
    timers.pass(120_000)
    expect(told()).toEqual([gone, still, still, still, back])
  })
})

describe('the log of a service that is asked too much', within(60), () => {
  it('has no line for each that is refused, neither of the API nor of pages and sign-ins', async () => {
    const release = await holdTables(w.server.context.db, 'user_sessions, oauth_applications')
    const answers: number[] = []
    const crowd = Array.from({ length: 400 }, async (_, at) =>
      answers.push(await visit(at % 2 ? '/account/session' : `/oauth2/auth?${wish()}`)),
    )
    const refused = () => answers.filter(status => status === 503).length
    await expect.poll(refused, { timeout: 20_000 }).toBeGreaterThan(50)
    await release()
    await Promise.all(crowd)
    expect(told().filter(message => message !== busy)).toEqual([])
    expect(told().length).toBeLessThan(2)
  })
})

function told(): string[] {
  return lines.map(({ msg }) => msg)
}

async function openWorld(): Promise<World> {
  return world({
    turn_wait: 2000,
    is_reachable: true,
    log_level: 'info',
    jobs: true,
    delivery: true,
    webhook_allow: ['127.0.0.1'],
    absence: new AbsenceLog(timers),
    log: { write: line => void lines.push(JSON.parse(line)) },
    route: async url => {
      network = owned.use(await openNetwork(url))
      return network.url
    },
  })
}

async function askOnce(): Promise<number> {
  return (await ask('GET', '/v2/members')).status
}

function ask(method: string, path: string, body?: object): Promise<Response> {
  return fetch(w.url + path, {
    method,
    headers: { authorization: `Bearer ${tenant.token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
}

const wish = () => `client_id=${client.client_id}&response_type=code`

async function visit(path: string): Promise<number> {
  return (await visitor().get(path)).status
}

function visitor(): Visitor {
  return Object.assign(new Visitor(owner.url), { cookies: new Map(owner.cookies) })
}

/** Calls everything that uses the database, several times concurrently. */
async function askEverything(): Promise<void> {
  const kinds: (() => Promise<unknown>)[] = [
    () => ask('GET', '/v2/events?limit=5'),
    () => ask('POST', '/v2/members', { name: 'Bob' }),
    () => ask('POST', '/v2/grants', { member: {}, member_group_ids: [], credentials: { pin: {} } }),
    () => ask('GET', '/v2/events/export?format=csv'),
    () => ask('GET', '/v2/events/stream'),
    () => ask('POST', `/v2/gadgets/${door.door.id}/actions/open/use`, {}),
    () => ask('GET', '/readyz'),
    () => ask('GET', '/metrics'),
    () => visitor().get('/account'),
    () => visitor().get('/account/session'),
    () => visitor().get('/account/organizations'),
    () => visitor().get('/sign-up'),
    () => visitor().post('/sign-in', { email: 'owner@example.com', password }),
    () => visit(`/oauth2/auth?${wish()}`),
    () =>
      visitor().post('/oauth2/token', { grant_type: 'refresh_token', refresh_token: 'ghr_no', ...client }),
    () => visitor().get('/member/v1/home', { authorization: 'Bearer none' }),
    () => ScriptedDevice.open(door.credentials).catch(() => undefined),
    async () => ring(),
  ]
  await Promise.all([...kinds, ...kinds, ...kinds].map(kind => kind()))
}

function ring(): void {
  const [gadget_id, occurred_at] = [door.door.id, w.clock.now()]
  device.events([{ type: 'signal', gadget_id, signal_id: 'bell', occurred_at }])
}

/** Opens an event stream before the failure. */
async function followEvents() {
  const end = new AbortController()
  let text = ''
  const answer = await fetch(`${w.url}/v2/events/stream`, {
    headers: { authorization: `Bearer ${tenant.token}`, accept: 'text/event-stream' },
    signal: end.signal,
  })
  const reading = (async () => {
    for await (const chunk of answer.body as ReadableStream<Uint8Array>) text += Buffer.from(chunk)
  })().catch(() => undefined)
  return {
    saw: (what: string) => expect.poll(() => text, { timeout: 20_000 }).toContain(what),
    async [Symbol.asyncDispose]() {
      end.abort()
      await reading
    },
  }
}

/** Timers that fire only when the test advances the time. */
class ManualTimers implements Timers {
  #now = 0
  #due = new Map<() => void, number>()

  elapsed(): number {
    return this.#now
  }

  later(milliseconds: number, run: () => void): () => void {
    const entry = () => run()
    this.#due.set(entry, this.#now + milliseconds)
    return () => void this.#due.delete(entry)
  }

  pass(milliseconds: number): void {
    const until = this.#now + milliseconds
    for (;;) {
      const [next] = [...this.#due].filter(([, at]) => at <= until).sort(([, one], [, other]) => one - other)
      if (!next) break
      this.#due.delete(next[0])
      this.#now = next[1]
      next[0]()
    }
    this.#now = until
  }
}
