import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, createClient } from '@gatehouse-access/sdk'
import { connect, findConnection, startEmbedded } from '@gatehouse-access/server'
import {
  findFreePort,
  makeDataFolder,
  openAccess,
  type Received,
  receiver,
  type Service,
  soak,
  startService,
} from '@gatehouse-access/testkit'
import { pino } from 'pino'
import { expect } from 'vitest'
import { grace } from '../../packages/server/src/alarms/presence-watch.ts'
import { Resident } from './resident.ts'

const controllers = Number(process.env.GATEHOUSE_CONTROLLERS ?? 500)
/** Seconds that the database is away. */
const absence = Number(process.env.GATEHOUSE_ABSENCE ?? 180)
const lost = 8
const log = pino({ level: 'silent' })
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

/**
 * Spec, Acceptance 5. The rule has no delay of its own, so that nothing but the service's knowledge of itself keeps
 * it from telling. At the end it tells of devices that are truly lost, and how soon.
 */
soak(
  `${controllers} controllers outlive restarts and a database that is away, and nobody is told`,
  async () => {
    await using owned = new AsyncDisposableStack()
    const told = owned.use(await receiver())
    const { path } = owned.use(await makeDataFolder())
    const startDatabase = () => startEmbedded({ data_dir: path, log, durable: false })
    let database = await startDatabase()
    owned.defer(() => database.stop())
    const url = `postgres://gatehouse@localhost/gatehouse?host=${encodeURIComponent(findConnection(path).host)}`
    const env = { DATABASE_URL: url, GATEHOUSE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }
    const options = { port: await findFreePort(), env }
    let service: Service = await startService(options)
    owned.defer(async () => void (await service.terminate()))
    const client = await openClient(path, service.url)
    const residents = await connectAll(client, service.url, told.url, owned)
    await arrived(residents, 'at first')

    await service.terminate()
    service = await startService(options)
    await arrived(residents, 'after a restart')

    await service.kill()
    service = await startService(options)
    await arrived(residents, 'after a kill')

    await database.stop()
    await sleep(absence * 1000)
    database = await startDatabase()
    await arrived(residents, `after ${absence} s without a database`)
    await sleep((grace + 30) * 1000)
    const { data } = await client.alarms.list({ type: 'device_offline', limit: 100 })
    console.log(`${data.length} alarms, ${told.received.length} messages after all of it`)
    expect({ alarms: data.length, messages: told.received.length }).toEqual({ alarms: 0, messages: 0 })

    // The control: whoever is lost now is told of.
    const silent = residents.slice(0, lost)
    const since = new Map<string, number>()
    for (const { resident, device_id } of silent) {
      since.set(device_id, resident.fallSilent())
      await sleep(1300)
    }
    const alarms = async () => (await client.alarms.list({ type: 'device_offline', limit: 100 })).data
    await expect.poll(async () => (await alarms()).length, { timeout: 90_000, interval: 500 }).toBe(lost)
    const seconds = (await alarms()).map(
      ({ device_id, recorded_at }) => (Date.parse(recorded_at) - (since.get(device_id ?? '') ?? 0)) / 1000,
    )
    console.log(`silence to alarm, s: ${seconds.map(one => one.toFixed(1)).join(' ')}`)
    const named = () => new Set(told.received.flatMap(devicesIn)).size
    await expect.poll(named, { timeout: 60_000 }).toBe(lost)
    console.log(`${told.received.length} messages of ${lost} devices that were lost`)
    expect(Math.max(...seconds)).toBeLessThan(47)
  },
)

function devicesIn({ event }: Received): string[] {
  return (event.alarms as { id: string }[]).map(({ id }) => id)
}

async function openClient(path: string, url: string): Promise<Client> {
  await using db = connect(findConnection(path), 1)
  const { token } = await openAccess(db)
  return createClient({ base_url: `${url}/v2`, token })
}

interface Placed {
  readonly resident: Resident
  readonly device_id: string
}

async function connectAll(
  client: Client,
  url: string,
  told: string,
  owned: AsyncDisposableStack,
): Promise<Placed[]> {
  const site = await client.sites.create({ name: 'House', timezone: 'Europe/Madrid' })
  const target = await client.notification_targets.create({ kind: 'http', url: told, secret })
  await client.alarm_rules.create({
    name: 'Offline',
    types: ['device_offline'],
    delay_seconds: 0,
    notify: [{ notification_target_id: target.id }],
  })
  const residents: Placed[] = []
  for (let number = 0; number < controllers; number++) {
    const hardware_id = `hw_RESIDENT-${number}`
    const device = await client.devices.create({
      name: `Box ${number}`,
      site_id: site.id,
      product_id: 'controller',
      hardware_id,
    })
    const { secret } = await client.devices.issue_credentials(device.id)
    const resident = owned.use(new Resident({ url, hardware_id, secret }))
    residents.push({ resident, device_id: device.id })
  }
  return residents
}

async function arrived(residents: readonly Placed[], when: string): Promise<void> {
  const begun = performance.now()
  const missing = () => residents.filter(({ resident }) => !resident.is_welcome).length
  await expect.poll(missing, { timeout: 180_000, interval: 100 }).toBe(0)
  console.log(`all connected ${when}: ${((performance.now() - begun) / 1000).toFixed(1)} s`)
}
