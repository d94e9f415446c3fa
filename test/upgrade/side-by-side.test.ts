import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, createClient } from '@gatehouse-access/sdk'
import { connect, type Pool } from '@gatehouse-access/server'
import {
  administer,
  Chance,
  findFreePort,
  isSoak,
  makeEmptyFolder,
  manyOr,
  type Service,
  seed,
  startService,
  withDatabase,
  within,
} from '@gatehouse-access/testkit'
import { expect, inject, test } from 'vitest'
import { type DeviceOptions, ScriptedDevice } from '../devices/scripted-device.ts'
import { checkOut } from './check-out.ts'
import { issueToken, readFixtures, restoreFixture } from './fixture.ts'

const chance = new Chance(seed)

const controllers = Number(process.env.GATEHOUSE_CONTROLLERS ?? 500)
const seconds = Number(process.env.GATEHOUSE_SIDE_BY_SIDE ?? 60)

/**
 * Copies an event of the fixture, as history: of the same transaction, which every consumer has passed. Its
 * identifier ends with a number that no other has.
 */
const copyEvents = `INSERT INTO events (id, organization_id, subject, verb, object, created_at, recorded_at, clock_adjusted, epoch, transaction_id)
  SELECT left(e.id, -9) || lpad(n::text, 9, '0'), e.organization_id, e.subject, e.verb, e.object, e.created_at, e.recorded_at, e.clock_adjusted, e.epoch, e.transaction_id
  FROM (SELECT * FROM events ORDER BY sequence LIMIT 1) e, generate_series(1, $1::integer) n`

/** Creates members one after the other, and remembers those that were acknowledged. */
async function write(client: Client, name: string, acknowledged: string[], end: AbortSignal): Promise<void> {
  for (let count = 0; !end.aborted; count++) {
    const made = await client.members.create({ name: `${name} ${count}` }).catch(() => undefined)
    if (made) acknowledged.push(made.id)
    await sleep(20)
  }
}

/** A controller that comes back wherever a service runs. Counts the snapshots that it was sent. */
class Controller {
  snapshots = 0
  device: ScriptedDevice | undefined
  readonly #options: Omit<DeviceOptions, 'url'>
  readonly #urls: () => readonly string[]
  readonly #end: AbortSignal

  constructor(options: Omit<DeviceOptions, 'url'>, urls: () => readonly string[], end: AbortSignal) {
    this.#options = options
    this.#urls = urls
    this.#end = end
  }

  async run(): Promise<void> {
    for (let tries = 0; !this.#end.aborted; tries++) {
      const urls = this.#urls()
      const url = urls[tries % urls.length] ?? ''
      const next = await ScriptedDevice.connect({ ...this.#options, url }, this.device).catch(() => undefined)
      if (!next) {
        await sleep(200)
        continue
      }
      this.device = next
      const beat = setInterval(() => {
        if (next.socket.readyState === next.socket.OPEN)
          next.send({ type: 'ping', sent_at: new Date().toISOString() })
      }, 10_000)
      await Promise.race([next.closed, once(this.#end)])
      clearInterval(beat)
      this.snapshots += next.received.filter(({ type }) => type === 'snapshot_begin').length
      next.socket.close()
    }
  }
}

function once(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => signal.addEventListener('abort', () => resolve(), { once: true }))
}

async function addControllers(client: Client, count: number) {
  const site = await client.sites.create({ name: 'Tower', timezone: 'Europe/Madrid' })
  const add = async (number: number) => {
    const hardware_id = `hw_TOWER-${String(number).padStart(4, '0')}`
    const device = await client.devices.create({
      name: `Floor ${number}`,
      site_id: site.id,
      product_id: 'controller',
      hardware_id,
    })
    const door = await client.gadgets.create({
      name: `Door ${number}`,
      device_id: device.id,
      actions: [{ id: 'open', name: 'Open' }],
    })
    const { secret } = await client.devices.issue_credentials(device.id)
    return { hardware_id, secret, door: door.id }
  }
  const made: Awaited<ReturnType<typeof add>>[] = []
  for (let number = 0; number < count; number++) made.push(await add(number))
  return made
}

async function isUpgraded(db: Pool): Promise<boolean> {
  const [row] = await db.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM living_processes WHERE version IS NOT NULL',
  )
  return (row?.count ?? 0) > 0
}

test.runIf(isSoak)(
  'a released version and this one serve side by side: nothing acknowledged is lost, no device starts over',
  within(900),
  async () => {
    const fixture = (await readFixtures()).at(-1)
    if (!fixture) throw new Error('there is no released version')
    await using owned = new AsyncDisposableStack()
    const release = owned.use(await checkOut(fixture.commit))
    const folder = owned.use(await makeEmptyFolder())
    const { admin_url } = inject('databases')
    await administer(admin_url, 'CREATE DATABASE side_by_side')
    owned.defer(() => administer(admin_url, 'DROP DATABASE side_by_side WITH (FORCE)'))
    const url = withDatabase(admin_url, 'side_by_side')
    const db = owned.use(connect({ url }, 2))
    await restoreFixture(db, fixture)
    await db.query('SELECT begin_feed_epoch()')
    await db.query('SET statement_timeout = 0')
    await db.query(copyEvents, [manyOr(1000)])
    // The database of the tests does not do this by itself.
    await db.query('ANALYZE')
    const env = {
      DATABASE_URL: url,
      GATEHOUSE_SECRET_KEY: fixture.secret_key,
      GATEHOUSE_DATA_DIR: folder.path,
      GATEHOUSE_RATE_LIMIT: '0',
    }
    const begin = async (program: object): Promise<Service> =>
      owned.use(await startService({ port: await findFreePort(), env, ...program }))
    const old = await begin({ program: `${release.path}/packages/server/src/main.ts` })
    const token = await issueToken(db, fixture)
    const clientOf = (service: Service) => createClient({ base_url: `${service.url}/v2`, token, retries: 0 })
    const doors = await addControllers(clientOf(old), controllers)
    const end = new AbortController()
    let urls = [old.url]
    const all = doors.map(options => new Controller(options, () => urls, end.signal))
    const running = all.map(controller => controller.run())
    const connected = () => all.filter(({ device }) => device?.policy).length
    await expect.poll(connected, { timeout: 600_000 }).toBe(controllers)
    expect(await isUpgraded(db).catch(() => false)).toBe(false)

    const acknowledged: string[] = []
    const [writing, writingOld] = [new AbortController(), new AbortController()]
    const writers = [write(clientOf(old), 'Old', acknowledged, writingOld.signal)]
    const fresh = await begin({})
    writers.push(write(clientOf(fresh), 'New', acknowledged, writing.signal))
    expect(await isUpgraded(db)).toBe(true)
    urls = [old.url, fresh.url]
    for (const until = performance.now() + seconds * 1000; performance.now() < until; await sleep(500)) {
      const door = chance.pick(doors)?.door ?? ''
      for (const service of [old, fresh]) await clientOf(service).gadgets.run_action(door, 'open')
    }
    const before = all.map(({ device }) => device)
    const policiesBefore = all.map(({ device }) => device?.policy)
    writingOld.abort()
    await writers[0]
    urls = [fresh.url]
    await old.terminate()
    const moved = () => all.filter(({ device }, at) => device?.policy && device !== before[at]).length
    await expect.poll(moved, { timeout: 600_000 }).toBe(controllers)
    await sleep(3000)
    writing.abort()
    await Promise.all(writers)
    // The slices are the same bytes: no version and no hash changes with the upgrade.
    expect(all.map(({ device }) => device?.policy)).toEqual(policiesBefore)
    end.abort()
    await Promise.all(running)

    const stored = await db.query<{ id: string }>(`SELECT id FROM members WHERE name ~ '^(Old|New) \\d+$'`)
    const ids = new Set(stored.map(({ id }) => id))
    expect(acknowledged.filter(id => !ids.has(id))).toEqual([])
    // Each got one when it connected for the first time. What it missed while it moved came as a difference.
    expect(all.filter(({ snapshots }) => snapshots !== 1)).toEqual([])
    console.info(
      `${acknowledged.length} writes acknowledged, ${controllers} controllers moved without a snapshot, each with the version and hash of before`,
    )
  },
)
