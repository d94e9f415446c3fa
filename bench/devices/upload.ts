import { setTimeout as sleep } from 'node:timers/promises'
import { formatCount, judge, median, medianRatio, printTable } from '../figures.ts'
import { type Load, openLoad } from '../load.ts'
import { type Service, startService } from '../service.ts'
import { type Building, build, type Credentials } from './building.ts'
import { startFleet } from './fleet-process.ts'

/** The number of upload sections of equal length. Requests are measured during and between them. */
const stretches = 10

interface Stretch {
  readonly seconds: number
  readonly behind: number
  readonly beside: number
  readonly alone: number
}

/**
 * Uploads a journal in sections while requests are served, and measures requests alone before and after each
 * section. After means once everything is sealed: deferred work must not count as saved.
 */
export async function measureUpload(events = 200_000, seconds = 2): Promise<void> {
  await using service = await startService()
  using fleet = startFleet()
  using load = openLoad()
  const building = await build(service.db, 1)
  const [device] = building.devices as [Credentials]
  const ask = await prepareRequests(service, building, load, seconds)
  const uploadStretch = () => fleet.upload(service.url, device, events / stretches)
  const taken: Stretch[] = []
  let before = await ask()
  while (taken.length < stretches) {
    const stretch = await measureStretch(service, uploadStretch, ask)
    taken.push({ ...stretch, alone: (before + stretch.after) / 2 })
    before = stretch.after
  }
  const all = <Name extends keyof Stretch>(name: Name) => taken.map(stretch => stretch[name])
  printTable(
    `${formatCount(events)} buffered events uploaded beside requests, in ${stretches} stretches`,
    ['', 'figure', 'bound', 'holds'],
    [
      ['upload, s', ...judge(sum(all('seconds')), 60, 'at most', 1)],
      ['then until all are sealed, s', median(all('behind')).toFixed(1), '', ''],
      ['requests a second alone', formatCount(median(all('alone'))), '', ''],
      ['requests a second beside it', formatCount(median(all('beside'))), '', ''],
      ['ratio', ...judge(medianRatio(all('beside'), all('alone')), 0.67, 'at least')],
      ['memory, MB', (await service.memory()).toFixed(0), '', ''],
    ],
  )
}

async function measureStretch(
  service: Service,
  upload: () => Promise<number>,
  ask: () => Promise<number>,
): Promise<Omit<Stretch, 'alone'> & { readonly after: number }> {
  const uploading = upload()
  const beside = median(await whilst(uploading, ask))
  const seconds = await uploading
  return { seconds, beside, behind: await untilSealed(service), after: await ask() }
}

/** Prepares a list request with eight concurrent connections. */
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
  // Warms up until the code is compiled, as in a service that runs for days.
  for (let warmUp = 0; warmUp < 5; warmUp++) await ask()
  return ask
}

/** The last window extends past the end of the work and does not count. */
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

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

async function untilSealed({ db }: Service): Promise<number> {
  const begin = performance.now()
  const count = async (table: string) =>
    (await db.query<{ n: string }>(`SELECT count(*)::text AS n FROM ${table}`))[0]?.n
  while ((await count('audit_links')) !== (await count('events'))) await sleep(100)
  return (performance.now() - begin) / 1000
}
