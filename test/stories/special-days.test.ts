import { isSoak, manyOr, type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

beforeAll(async () => {
  w = owned.use(await world())
  tenant = await w.tenant()
})
afterAll(() => owned.disposeAsync())

/** A zone where the clocks change at midnight, one with two changes, one without. */
const zones = ['America/Santiago', 'Europe/Madrid', 'Asia/Kathmandu']
const hours = (start: number, end: number) => [{ start: start * 3600, end: end * 3600 }]

test.each(zones)('what the preview shows is what a check answers: %s', async timezone => {
  const { client } = tenant
  const calendar = await client.calendars.create({ name: timezone })
  for (const [kind, starts_on, ends_on] of [
    ['holiday', '2027-01-06', null],
    ['half_day', '2027-03-27', '2027-04-05'],
    ['holiday', '2027-09-04', '2027-09-05'],
  ] as const)
    await client.calendar_days.create(calendar.id, { kind, starts_on, ends_on, recurrence: 'yearly' })
  const site = await client.sites.create({ name: 'A', timezone, calendar_ids: [calendar.id] })
  const schedule = await client.schedules.create({
    name: 'Office',
    weekdays: Array.from({ length: 7 }, (_, index) => ({ ranges: hours(index, 12 + index) })),
    special_days: [
      { kind: 'holiday', ranges: [] },
      { kind: 'half_day', ranges: hours(0, 3) },
    ],
    exceptions: [{ starts_on: '2027-05-01', ends_on: '2027-05-09', ranges: hours(22, 24) }],
  })
  const device = await client.devices.create({ name: 'Box', site_id: site.id, product_id: 'controller' })
  const gadget = await client.gadgets.create({ name: 'Door', device_id: device.id })
  const permissions = [{ gadget_id: gadget.id, schedule_id: schedule.id }]
  const group = await client.member_groups.create({ name: 'Staff', permissions })
  const member = await client.members.create({ name: 'Ana' })
  await client.member_group_associations.create(member.id, { member_group_id: group.id })

  const { data } = await client.schedules.preview(schedule.id, {
    site_id: site.id,
    from: '2026-12-31',
    to: '2028-01-01',
  })
  expect(data.length).toBe(367)
  const open = data.flatMap(day => day.open)
  const check = async (at: string) => {
    const question = { member_id: member.id, gadget_id: gadget.id, action_id: 'open', at }
    const { allowed, rules } = await client.access_checks.create(question)
    expect([at, allowed]).toEqual([at, open.some(({ from, until }) => from <= at && at < until)])
    const date = rules[0]?.schedule_day?.date
    const { source, kind, calendar_day_id } = data.find(day => day.date === date) ?? {}
    expect([at, rules[0]?.schedule_day]).toEqual([at, { date, source, kind, calendar_day_id }])
    return date
  }
  const asked = minutes(manyOr(40))
  const dates = new Set<string | undefined>()
  for (let start = 0; start < asked.length; start += together)
    for (const date of await Promise.all(asked.slice(start, start + together).map(check))) dates.add(date)
  if (isSoak)
    console.log(`${timezone}: ${asked.length.toLocaleString('en')} minutes of ${dates.size} dates checked`)
})

/** Checks that are asked at once. */
const together = 8

/** Minutes spread over the year, at another second of the hour each. */
function minutes(count: number): string[] {
  const first = Date.parse('2027-01-01T00:00:00Z')
  const step = (365 * 86_400_000) / count
  return Array.from({ length: count }, (_, index) => {
    const at = first + Math.floor((index * step) / 60_000) * 60_000
    return new Date(at).toISOString().replace('.000Z', 'Z')
  })
}
