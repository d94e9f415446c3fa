import { world } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { gatehouse } from './gatehouse.ts'

const week = Array.from({ length: 7 }, () => ({ ranges: [{ start: 28_800, end: 64_830 }] }))

test('holidays of a region are imported for a site, and a preview shows them', async () => {
  await using w = await world()
  const { client } = await w.tenant('Hotel')
  const site = await client.sites.create({ name: 'Madrid', timezone: 'Europe/Madrid' })
  const env = { DATABASE_URL: w.database_url }
  const args = ['calendars', 'import', 'ES-MD', '--years', '2027', '--site', 'madrid', '--url', w.url]
  const first = await gatehouse(args, env)
  expect([first.code, first.stdout]).toEqual([
    0,
    expect.stringMatching(/^Holidays ES-MD .* days new.*Madrid\.\n$/),
  ])
  const { calendar_ids } = await client.sites.get(site.id)
  expect(calendar_ids.length).toBe(1)
  expect((await gatehouse(args, env)).stdout).toContain('0 days new, 0 changed, 0 deleted')

  const special_days = [{ kind: 'holiday', ranges: [] }]
  const schedule = await client.schedules.create({ name: 'Day', weekdays: week, special_days })
  const dates = ['--from', '2027-01-05', '--to', '2027-01-06']
  const shown = await gatehouse(
    ['schedules', 'preview', schedule.id, '--site', site.id, ...dates, '--url', w.url],
    env,
  )
  expect(shown.stdout.split('\n').slice(1, 3)).toEqual([
    '2027-01-05  08:00-18:00:30  weekday',
    '2027-01-06  closed          special_day holiday',
  ])
})

test('a site with ten calendars is told of before anything is created', async () => {
  await using w = await world()
  const { client } = await w.tenant('Hotel')
  const calendar_ids: string[] = []
  for (let count = 0; count < 10; count++)
    calendar_ids.push((await client.calendars.create({ name: `${count}` })).id)
  await client.sites.create({ name: 'Madrid', timezone: 'Europe/Madrid', calendar_ids })
  const args = ['calendars', 'import', 'ES-MD', '--years', '2027', '--site', 'Madrid', '--url', w.url]
  const said = await gatehouse(args, { DATABASE_URL: w.database_url })
  expect([said.code, said.stderr]).toEqual([1, expect.stringContaining('10 calendars already')])
  expect((await client.calendars.list({ limit: 100 })).data.length).toBe(10)
})
