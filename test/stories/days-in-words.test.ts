import { previewDays, type ScheduleException } from '@gatehouse-access/core'
import { expect, test } from 'vitest'
import { kindPlural } from '../../packages/web/console/src/calendars/kind-words.ts'
import { barsOf, timesWords } from '../../packages/web/console/src/schedules/nights.ts'
import { yearFrom } from '../../packages/web/console/src/schedules/year.ts'
import { withException } from '../../packages/web/console/src/sites/today-plan.ts'

const hour = 3600
const range = (start: number, end: number) => ({ start: start * hour, end: end * hour })
const site = { timezone: 'UTC', table: null, days: [] }

function preview(exceptions: readonly ScheduleException[], ranges = [range(8, 18)]) {
  const weekdays = Array.from({ length: 7 }, () => ({ ranges }))
  return previewDays({ weekdays, special_days: [], exceptions }, site, '2026-12-30', '2027-01-02')
}

test('a night of two entries is one bar, and told as one', () => {
  const days = preview([
    { starts_on: '2026-12-31', ranges: [range(8, 12), range(20, 24)] },
    { starts_on: '2027-01-01', ranges: [range(0, 2), range(10, 14)] },
  ])
  expect(barsOf(days).map(({ from, until }) => [from / hour, until / hour])).toEqual([
    [8, 18],
    [32, 36],
    [44, 50],
    [58, 62],
    [80, 90],
  ])
  expect(days.map((_, index) => timesWords(days, index))).toEqual([
    '08:00 to 18:00',
    '08:00 to 12:00 and 20:00 to 02:00 on Fri',
    'until 02:00 and 10:00 to 14:00',
    '08:00 to 18:00',
  ])
})

test('a door that never closes has no nights', () => {
  const days = preview([], [range(0, 24)])
  expect(days.map((_, index) => timesWords(days, index))).toEqual([
    'all day',
    'all day',
    'all day',
    'all day',
  ])
  expect(barsOf(days)).toHaveLength(1)
})

test('other times for some days take these dates away from the exceptions there are', () => {
  const held = [
    { starts_on: '2026-12-20', ends_on: '2026-12-31', name: 'Works', ranges: [] },
    { starts_on: '2027-02-01', ends_on: null, name: null, ranges: [] },
  ]
  const added = { starts_on: '2026-12-24', ends_on: '2026-12-26', name: null, ranges: [range(8, 12)] }
  expect(withException(held, added)).toEqual([
    { ...held[0], ends_on: '2026-12-23' },
    added,
    { ...held[0], starts_on: '2026-12-27' },
    held[1],
  ])
  const whole = { ...added, starts_on: '2026-12-01', ends_on: '2027-03-01' }
  expect(withException(held, whole)).toEqual([whole])
})

test('a year is 53 weeks from Monday, and kinds have plurals', () => {
  expect(yearFrom('2026-11-17')).toEqual({ from: '2026-11-16', to: '2027-11-21' })
  expect(['holiday', 'half_day', 'inventory'].map(kindPlural)).toEqual([
    'holidays',
    'half days',
    'inventories',
  ])
})
