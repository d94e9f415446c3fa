import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../delivery/events.ts'
import { formatCount, judge, printTable } from '../figures.ts'
import { type Service, startService } from '../service.ts'
import { type Building, build } from './building.ts'
import { type Fleet, startFleet } from './fleet-process.ts'

/** Measures the time from a request that changes a member until every controller has applied the change. */
export async function measurePolicy(count = 1000, changes = 15): Promise<void> {
  await using service = await startService()
  using fleet = startFleet()
  const building = await build(service.db, count)
  const begin = performance.now()
  await fleet.connect(service.url, building.devices)
  const connected = performance.now() - begin
  const member = await post(service, building, '/members', {})
  await post(service, building, `/members/${member}/group_associations`, {
    member_group_id: building.member_group_id,
  })
  await settle(fleet, count)
  const ages: number[] = []
  for (let round = 0; round < changes; round++) {
    const at = performance.timeOrigin + performance.now()
    await post(service, building, `/members/${member}/pins`, {})
    ages.push(...(await settle(fleet, count)).map(time => time - at))
  }
  printTable(
    `A member gets a PIN, ${formatCount(count)} controllers, every one concerned`,
    ['', 'figure', 'bound', 'holds'],
    [
      ['connected and given their slices, s', (connected / 1000).toFixed(1), '', ''],
      ['request to applied, median, ms', percentile(ages, 0.5).toFixed(0), '', ''],
      ['request to applied, p95, ms', ...judge(percentile(ages, 0.95), 1000, 'at most', 0)],
      ['request to applied, p99, ms', percentile(ages, 0.99).toFixed(0), '', ''],
      ['memory, MB', (await service.memory()).toFixed(0), '', ''],
    ],
  )
}

/** Waits until every controller has applied one more change. */
export async function settle(fleet: Fleet, count: number): Promise<number[]> {
  const times: number[] = []
  for (let wait = 0; wait < 600 && times.length < count; wait++) {
    await sleep(50)
    times.push(...(await fleet.take()))
  }
  if (times.length < count) throw new Error(`${times.length} of ${count} controllers have applied the change`)
  return times
}

export function post(
  service: Service,
  building: Pick<Building, 'tenant'>,
  path: string,
  body: object,
): Promise<string> {
  return send('POST', service, building, path, body)
}

export async function send(
  method: 'POST' | 'PATCH',
  service: Service,
  { tenant }: Pick<Building, 'tenant'>,
  path: string,
  body: object,
): Promise<string> {
  const answer = await fetch(`${service.url}/v2${path}`, {
    method,
    headers: { ...(await tenant.headers()), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { id: string }).id
}

/** Measures the cost of many idle connections. */
export async function measureConnected(count = 5000): Promise<void> {
  await using service = await startService()
  using fleet = startFleet()
  const building = await build(service.db, count)
  const before = await service.memory()
  const begin = performance.now()
  await fleet.connect(service.url, building.devices)
  const seconds = (performance.now() - begin) / 1000
  await sleep(3000)
  const memory = await service.memory()
  printTable(
    `${formatCount(count)} controllers connected`,
    ['', 'figure', 'bound', 'holds'],
    [
      ['until all have their slice, s', seconds.toFixed(1), '', ''],
      ['memory before, MB', before.toFixed(0), '', ''],
      ['memory, MB', ...judge(memory, 1024, 'at most', 0)],
    ],
  )
}
