import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../delivery/events.ts'
import { formatCount, judge, printTable } from '../figures.ts'
import { Others } from '../others.ts'
import { type Service, startService } from '../service.ts'
import { type Building, build } from './building.ts'
import { type Fleet, startFleet } from './fleet-process.ts'
import { post, settle } from './main.ts'

const doorsEach = 5

/**
 * Measures the time from a request that starts a lockdown until every door has confirmed it, and what other
 * requests take meanwhile.
 */
export async function measureLockdown(): Promise<void> {
  const small = await measure(200, 15)
  const large = await measure(1000, 3)
  const name = ({ controllers }: Measured) =>
    `${formatCount(controllers * doorsEach)} doors, ${formatCount(controllers)} controllers`
  printTable(
    'A lockdown starts: request to the confirmation of the last door',
    ['', 'figure', 'bound', 'holds'],
    [
      [`${name(small)}: median, ms`, ...judge(percentile(small.times, 0.5), 400, 'at most', 0)],
      [`${name(small)}: slowest, ms`, ...judge(Math.max(...small.times), 2000, 'at most', 0)],
      [`${name(large)}: slowest, ms`, ...judge(Math.max(...large.times), 6000, 'at most', 0)],
      ...[
        ['answer to the request', small.answers] as const,
        ['request to the last controller', small.arrivals] as const,
        ['for comparison, a new PIN, request to the last controller', small.pins] as const,
      ].map(([what, times]) => [
        `${name(small)}: ${what}, median, ms`,
        percentile(times, 0.5).toFixed(0),
        '',
        '',
      ]),
      [`${name(small)}: other requests before, p95, ms`, percentile(small.before, 0.95).toFixed(1), '', ''],
      [
        `${name(small)}: other requests meanwhile, p95, ratio`,
        ...judge(percentile(small.meanwhile, 0.95) / percentile(small.before, 0.95), 2, 'at most', 2),
      ],
    ],
  )
}

interface Measured {
  readonly controllers: number
  /** Milliseconds. */
  readonly times: number[]
  readonly answers: number[]
  /** When the last controller had applied it. */
  readonly arrivals: number[]
  /** What a change of a member takes to the last controller, on the same machine at the same time. */
  readonly pins: number[]
  readonly before: number[]
  readonly meanwhile: number[]
}

async function measure(controllers: number, rounds: number): Promise<Measured> {
  await using service = await startService()
  using fleet = startFleet()
  const building = await build(service.db, controllers, doorsEach)
  // A database in use knows how many rows it has.
  await service.db.query('ANALYZE')
  await fleet.connect(service.url, building.devices)
  const plan = await post(service, building, '/emergency_plans', {
    name: 'Lockdown',
    type: 'lockdown',
    targets: { site_ids: [building.site_id] },
  })
  const pins = await measurePins(service, fleet, building)
  const others = new Others(service, building.tenant)
  await sleep(3000)
  const before = others.take()
  const [times, answers, arrivals]: [number[], number[], number[]] = [[], [], []]
  const meanwhile: number[] = []
  for (let round = 0; round < rounds; round++) {
    others.take()
    await fleet.take()
    const begun = performance.now()
    const emergency = await post(service, building, '/emergencies', { emergency_plan_id: plan })
    answers.push(performance.now() - begun)
    const arrived = await settle(fleet, controllers)
    await confirmed(service, building, emergency)
    times.push(performance.now() - begun)
    meanwhile.push(...others.take())
    arrivals.push(Math.max(...arrived) - performance.timeOrigin - begun)
    await post(service, building, `/emergencies/${emergency}/end`, {})
    await settle(fleet, controllers)
    await confirmed(service, building, emergency)
    await sleep(200)
  }
  await others.stop()
  return { controllers, times, answers, arrivals, pins, before, meanwhile }
}

async function measurePins(service: Service, fleet: Fleet, building: Building): Promise<number[]> {
  const count = building.devices.length
  const member = await post(service, building, '/members', {})
  const { member_group_id } = building
  await post(service, building, `/members/${member}/group_associations`, { member_group_id })
  await settle(fleet, count)
  const times: number[] = []
  for (let round = 0; round < 5; round++) {
    const begun = performance.timeOrigin + performance.now()
    await post(service, building, `/members/${member}/pins`, {})
    times.push(Math.max(...(await settle(fleet, count))) - begun)
  }
  return times
}

/**
 * Waits until all doors have confirmed the emergency, or its end. To be called when all controllers have it: each
 * question counts all doors, and many questions would be what is measured.
 */
async function confirmed(service: Service, { tenant }: Building, id: string): Promise<void> {
  const end = performance.now() + 60_000
  while (performance.now() < end) {
    const answer = await fetch(`${service.url}/v2/emergencies/${id}`, { headers: await tenant.headers() })
    const told = (await answer.json()) as { gadget_count: number; confirmed_gadget_count: number }
    if (told.gadget_count > 0 && told.confirmed_gadget_count === told.gadget_count) return
    await sleep(20)
  }
  throw new Error('not all doors have confirmed within a minute')
}
