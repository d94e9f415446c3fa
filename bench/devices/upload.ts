import { setTimeout as sleep } from 'node:timers/promises'
import { formatCount, judge, median, printTable } from '../figures.ts'
import { type Load, openLoad } from '../load.ts'
import { type Service, startService } from '../service.ts'
import { type Building, build, type Credentials } from './building.ts'
import { startFleet } from './fleet-process.ts'

const windows = 8

/**
 * A journal is uploaded while requests are answered, by the same client that asked before and asks again afterwards,
 * in windows of the same length. Afterwards means when all of it is sealed: what is put off must not count as saved.
 */
export async function measureUpload(events = 200_000, seconds = 2): Promise<void> {
  await using service = await startService()
  using fleet = startFleet()
  using load = openLoad()
  const building = await build(service.db, 1)
  const [device] = building.devices as [Credentials]
  const ask = await prepareRequests(service, building, load, seconds)
  const before = await repeat(windows, ask)
  const uploading = fleet.upload(service.url, device, events)
  const beside = await whilst(uploading, ask)
  const took = await uploading
  const behind = await untilSealed(service)
  const alone = [...before, ...(await repeat(windows, ask))]
  const [pace, own] = [median(beside), median(alone)]
  printTable(
    `${formatCount(events)} buffered events uploaded beside requests`,
    ['', 'figure', 'bound', 'holds'],
    [
      ['upload, s', ...judge(took, 60, 'at most', 1)],
      ['then until all are sealed, s', behind.toFixed(1), '', ''],
      ['requests a second alone', formatCount(own), '', ''],
      ['requests a second beside it', formatCount(pace), '', ''],
      ['ratio', ...judge(pace / own, 0.67, 'at least')],
      ['memory, MB', (await service.memory()).toFixed(0), '', ''],
    ],
  )
}

/** A list, asked for by eight at once. */
async function prepareRequests(
  service: Service,
  { tenant }: Building,
  load: Load,
  duration: number,
): Promise<() => Promise<number>> {
  const headers = await tenant.headers()
  for (let count = 0; count < 40; count++)
    await fetch(`${service.url}/v2/members`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{}',
    })
  const options = { url: service.url, requests: [{ path: '/v2/members?limit=20' }], headers }
  const ask = () => load.measure({ ...options, connections: 8, duration })
  await repeat(2, ask)
  return ask
}

async function repeat(times: number, ask: () => Promise<number>): Promise<number[]> {
  const taken: number[] = []
  while (taken.length < times) taken.push(await ask())
  return taken
}

/** The last window reaches beyond the end, and does not count. */
async function whilst(work: Promise<unknown>, ask: () => Promise<number>): Promise<number[]> {
  let isDone = false
  const end = () => {
    isDone = true
  }
  work.then(end, end)
  const taken: number[] = []
  while (!isDone) taken.push(await ask())
  return taken.slice(0, Math.max(1, taken.length - 1))
}

async function untilSealed({ db }: Service): Promise<number> {
  const begin = performance.now()
  const count = async (table: string) => (await db.query(`SELECT count(*)::text AS n FROM ${table}`))[0]?.n
  while ((await count('audit_links')) !== (await count('events'))) await sleep(100)
  return (performance.now() - begin) / 1000
}
