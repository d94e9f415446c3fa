import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../delivery/events.ts'
import { build } from '../devices/building.ts'
import { startFleet } from '../devices/fleet-process.ts'
import { formatCount, judge, printTable } from '../figures.ts'
import { Others } from '../others.ts'
import { startService } from '../service.ts'
import { createTenant } from '../tenant.ts'
import { addRule, openReceiver } from './told.ts'

/** Seconds. Long enough for all departures to be recorded before the first alarm is due, unless the machine is busy. */
const delay = 60
/** Seconds after its start in which the service counts nobody as offline. */
const grace = 120

/** Connects devices of one organization, and cuts their uplink. */
export async function measureStorm(devices = 10_000): Promise<void> {
  await using service = await startService()
  const started = performance.now()
  await using receiver = await openReceiver()
  const building = await build(service.db, devices)
  await addRule(service, building.tenant, receiver.url, { types: ['device_offline'], delay_seconds: delay })
  await service.db.query('ANALYZE')
  const fleets = [startFleet(), startFleet()]
  const half = Math.ceil(devices / 2)
  await Promise.all(
    fleets.map((fleet, part) =>
      fleet.connect(service.url, building.devices.slice(part * half, (part + 1) * half)),
    ),
  )
  console.log(`connected after ${((performance.now() - started) / 1000).toFixed(0)} s`)
  await sleep(Math.max(5000, (grace + 5) * 1000 - (performance.now() - started)))
  const others = new Others(service, await createTenant(service.db, 'Others'))
  await sleep(2000)
  others.take()
  const idle = await cpuOver(service.pid, () => sleep(20_000))
  const before = others.take()

  const cut = performance.now()
  for (const fleet of fleets) fleet[Symbol.dispose]()
  const count = async (what: string) => {
    const [row] = await service.db.query<{ count: number }>(`SELECT count(*)::integer AS count FROM ${what}`)
    return row?.count ?? 0
  }
  const leaving = await cpuOver(service.pid, async () => {
    while ((await count('device_connections')) > 0) await sleep(250)
    const known = async () => (await count(`alarm_timers WHERE kind = 'begin'`)) + (await count('alarms'))
    while ((await known()) < devices) await sleep(250)
  })
  const departed = performance.now()
  const whileLeaving = others.take()
  await sleep(Math.max(0, delay * 1000 - 2000 - (performance.now() - cut)))
  others.take()
  let whileAlarmed: number[] = []
  const alarming = await cpuOver(service.pid, async () => {
    while ((await count(`alarms WHERE type = 'device_offline'`)) < devices) await sleep(250)
    while ((await count('alarm_tellings WHERE due_at IS NOT NULL')) > 0) await sleep(250)
    while ((await count(`notifications WHERE status = 'pending'`)) > 0) await sleep(250)
    whileAlarmed = others.take()
  })
  await sleep(30_000)
  await others.stop()
  const told = receiver.told.map(({ body }) => body.alarm_count ?? 0)
  const own = ({ cpu, seconds }: Used) => cpu - (idle.cpu / idle.seconds) * seconds
  const p95 = (times: readonly number[]) => percentile(times, 0.95)
  printTable(
    `${formatCount(devices)} devices offline at once, one rule with a delay of ${delay} s`,
    ['', 'figure', 'bound', 'holds'],
    [
      ['until all departures are recorded, s', ((departed - cut) / 1000).toFixed(1), '', ''],
      ['departures, s of one core', own(leaving).toFixed(1), '', ''],
      ['from the first alarm to the last message, s', alarming.seconds.toFixed(1), '', ''],
      ['alarms and messages, s of one core beyond idle', ...judge(own(alarming), 10, 'at most', 1)],
      ['messages to the target', ...judge(told.length, 4, 'at most', 0)],
      ['alarms that they count', told.join(', '), '', ''],
      ['idle, % of one core', ((100 * idle.cpu) / idle.seconds).toFixed(1), '', ''],
      ['API p95 before, ms', p95(before).toFixed(1), '', ''],
      ['API p95 during departures, ratio', ...judge(p95(whileLeaving) / p95(before), 2, 'at most', 2)],
      [
        'API p95 during alarms and messages, ratio',
        ...judge(p95(whileAlarmed) / p95(before), 2, 'at most', 2),
      ],
      ['memory, MB', (await service.memory()).toFixed(0), '', ''],
    ],
  )
}

interface Used {
  /** Seconds of one core. */
  readonly cpu: number
  readonly seconds: number
}

/** Returns what the process used while something went on. */
export async function cpuOver(pid: number, work: () => Promise<unknown>): Promise<Used> {
  const [begun, before] = [performance.now(), cpuOf(pid)]
  await work()
  return { cpu: cpuOf(pid) - before, seconds: (performance.now() - begun) / 1000 }
}

function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}
