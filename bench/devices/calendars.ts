import { finish } from '../../packages/core/src/index.ts'
import {
  listDays,
  mergeDays,
  uniteDays,
  windowAt,
} from '../../packages/server/src/devices/policy/merged-days.ts'
import { percentile } from '../delivery/events.ts'
import { formatCount, judge, printTable } from '../figures.ts'
import { startService } from '../service.ts'
import { build } from './building.ts'
import { startFleet } from './fleet-process.ts'
import { post, send, settle } from './main.ts'

const day = 86_400_000
const dateOf = (days: number) => new Date(Date.now() + days * day).toISOString().slice(0, 10)

/** Measures the time from a request that adds a day to a calendar until every controller has applied it. */
export async function measureCalendars(count = 1000, changes = 15): Promise<void> {
  await using service = await startService()
  using fleet = startFleet()
  const building = await build(service.db, count)
  const calendar = await post(service, building, '/calendars', { name: 'Holidays' })
  for (let number = 0; number < 60; number++)
    await post(service, building, `/calendars/${calendar}/days`, { starts_on: dateOf(30 * number) })
  await send('PATCH', service, building, `/sites/${building.site_id}`, { calendar_ids: [calendar] })
  await fleet.connect(service.url, building.devices)
  await fleet.take()
  const ages: number[] = []
  for (let round = 0; round < changes; round++) {
    const at = performance.timeOrigin + performance.now()
    await post(service, building, `/calendars/${calendar}/days`, { starts_on: dateOf(30 * round + 7) })
    ages.push(...(await settle(fleet, count)).map(time => time - at))
  }
  printTable(
    `A day is added to a calendar that ${formatCount(count)} connected controllers observe`,
    ['', 'figure', 'bound', 'holds'],
    [
      ['request to applied, median, ms', percentile(ages, 0.5).toFixed(0), '', ''],
      ['request to applied, p95, ms', ...judge(percentile(ages, 0.95), 2000, 'at most', 0)],
      ['request to applied, p99, ms', percentile(ages, 0.99).toFixed(0), '', ''],
      ...growths(),
      ['memory, MB', (await service.memory()).toFixed(0), '', ''],
    ],
  )
}

/** How many bytes 10 calendars of 500 days of one kind add to the row of a site. */
function growths(): string[][] {
  const cases: [string, (calendar: number, number: number) => number][] = [
    ['the same dates', (_, number) => Math.floor(number * 3.6)],
    [
      'different dates',
      (calendar, number) => (((calendar * 500 + number + 1) * 2_654_435_761) % 2 ** 32) % 1826,
    ],
  ]
  return cases.map(([name, place]) => [
    `10 calendars of 500 days, ${name}, KB`,
    ...judge(growth(place) / 1024, 40, 'at most', 1),
  ])
}

function growth(place: (calendar: number, number: number) => number): number {
  const window = windowAt(new Date().toISOString())
  const calendars = Array.from({ length: 10 }, (_, calendar) =>
    Array.from({ length: 500 }, (_, number) => ({
      kind: 'holiday',
      starts_on: dateOf(place(calendar, number)),
      ends_on: null,
      recurrence: 'none',
    })),
  )
  const merged = calendars.map(days => finish(mergeDays(days, window)))
  return JSON.stringify(finish(listDays(finish(uniteDays(merged)), window))).length
}
