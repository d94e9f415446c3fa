import { previewDays, type ScheduleException } from '@gatehouse-access/core'
import { expect, test } from 'vitest'
import { kindPlural } from '../../packages/web/console/src/calendars/kind-words.ts'
import { spanOf } from '../../packages/web/console/src/lists/days-filter.ts'
import {
  formatShort,
  formatShortDate,
  haveSameClock,
  isSameClock,
} from '../../packages/web/console/src/parts/format-time.ts'
import { barsOf, timesWords } from '../../packages/web/console/src/schedules/nights.ts'
import { type Night, nightText, parseNight } from '../../packages/web/console/src/schedules/times-text.ts'
import {
  usualTimes,
  withException,
  withNight,
} from '../../packages/web/console/src/schedules/with-exception.ts'
import { yearFrom } from '../../packages/web/console/src/schedules/year.ts'

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

test('a night on some dates is added to the day after each, and the last of these becomes an exception', () => {
  const [evening, morning] = [range(22, 24), range(0, 6)]
  const night = { starts_on: '2026-12-24', ends_on: null, name: 'Party', ranges: [evening] }
  const after = { ...night, starts_on: '2026-12-25', ranges: [morning, range(8, 18)] }
  expect(withNight([], night, 6 * hour, [range(8, 18)])).toEqual([night, after])
  expect(withNight([], night, 0, [range(8, 18)])).toEqual([night])

  const nights = { ...night, ends_on: '2026-12-26' }
  expect(withNight([], nights, 6 * hour, [])).toEqual([
    night,
    { ...night, starts_on: '2026-12-25', ends_on: '2026-12-26', ranges: [morning, evening] },
    { ...night, starts_on: '2026-12-27', ranges: [morning] },
  ])
})

test('a night before an exception leaves its other times and dates as they are', () => {
  const night = { starts_on: '2026-12-24', ends_on: null, name: null, ranges: [range(22, 24)] }
  const works = { starts_on: '2026-12-25', ends_on: '2026-12-31', name: 'Works', ranges: [range(5, 9)] }
  const all = withNight([works], night, 6 * hour, [range(8, 18)])
  expect(all).toEqual([
    night,
    { ...works, ends_on: null, ranges: [range(0, 9)] },
    { ...works, starts_on: '2026-12-26' },
  ])
  // Said again, it is the same.
  expect(withNight(all.slice(1), night, 6 * hour, [])).toEqual(all)
})

test('the times of a date are those of the first kind that it has, else of its weekday', () => {
  const weekdays = Array.from({ length: 7 }, (_, day) => ({ ranges: [range(day, day + 1)] }))
  const special_days = [
    { kind: 'holiday', ranges: [] },
    { kind: 'half_day', ranges: [range(8, 12)] },
  ]
  const on = (kinds: readonly string[]) => usualTimes({ weekdays, special_days }, '2026-12-24', kinds)
  expect([on([]), on(['half_day']), on(['half_day', 'holiday'])]).toEqual([[range(3, 4)], [range(8, 12)], []])
})

test('a night is read and written as one', () => {
  for (const text of ['22:00-06:00', '08:00-12:00, 22:00-06:00', '08:00-12:00', '00:00-24:00'])
    expect(nightText(parseNight(text) as Night)).toBe(text)
  expect(parseNight('22:00-06:00')).toEqual({ ranges: [range(22, 24)], until: 6 * hour })
})

test('a short time has a clock with seconds, and as much of the date as it needs', () => {
  const at = (year: number, month: number, day: number) =>
    new Date(year, month - 1, day, 9, 30, 5).toISOString()
  const now = Date.parse(at(2026, 11, 18))
  const told = [at(2026, 11, 18), at(2026, 11, 17), at(2025, 11, 18)]
  expect(told.map(time => formatShort(time, undefined, now))).toEqual([
    '09:30:05',
    '17 Nov, 09:30:05',
    '18 Nov 2025, 09:30:05',
  ])
  expect(told.map(time => formatShortDate(time, undefined, now))).toEqual(['18 Nov', '17 Nov', '18/11/25'])
})

test('days of a site lie between its midnights, and a short time is by its clock', () => {
  const from = '2026-01-01T00:00:00Z'
  const tokyo = {
    timezone: 'Asia/Tokyo',
    release: '',
    from,
    until: '2028-01-01T00:00:00Z',
    offset: 32_400,
    changes: [],
  }
  const now = Date.parse('2026-11-18T16:00:00Z')
  expect(spanOf('yesterday', now, tokyo)).toEqual(['2026-11-17T15:00:00.000Z', '2026-11-18T15:00:00.000Z'])
  expect(formatShort('2026-11-18T15:00:05Z', 'Asia/Tokyo', now)).toBe('00:00:05')
  expect(formatShortDate('2026-11-18T14:59:59Z', 'Asia/Tokyo', now)).toBe('18 Nov')
})

test('a year is 53 weeks from Monday, and kinds have plurals', () => {
  expect(yearFrom('2026-11-17')).toEqual({ from: '2026-11-16', to: '2027-11-21' })
  expect(['holiday', 'half_day', 'inventory'].map(kindPlural)).toEqual([
    'holidays',
    'half days',
    'inventories',
  ])
})

test('a zone is marked where its clock shows another time, whatever its name', () => {
  const at = (time: string) => Date.parse(time)
  expect(isSameClock('Europe/Vienna', at('2026-11-19T10:00:00Z'), 'Europe/Berlin')).toBe(true)
  expect(isSameClock('Asia/Calcutta', at('2026-11-19T10:00:00Z'), 'Asia/Kolkata')).toBe(true)
  // Adelaide puts its clocks forward within an hour of UTC.
  expect(isSameClock('Australia/Adelaide', at('2026-10-03T16:20:00Z'), 'Australia/Darwin')).toBe(true)
  expect(isSameClock('Australia/Adelaide', at('2026-10-03T16:40:00Z'), 'Australia/Darwin')).toBe(false)
  expect(haveSameClock('Australia/Adelaide', 'Australia/Darwin', at('2026-06-01T00:00:00Z'))).toBe(false)
  expect(haveSameClock('Europe/Vienna', 'Europe/Berlin', at('2026-06-01T00:00:00Z'))).toBe(true)
})
