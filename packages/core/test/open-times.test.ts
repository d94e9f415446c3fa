import { fromMicroseconds, openTimes, toMicroseconds, type Weekday } from '@gatehouse-access/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const hour = 3600
const closed: Weekday = { ranges: [] }
const sunday = (...ranges: [number, number][]): Weekday[] => [
  ...Array.from({ length: 6 }, () => closed),
  { ranges: ranges.map(([start, end]) => ({ start: start * hour, end: end * hour })) },
]

function told(weekdays: Weekday[], zone: string, from: string, until: string): string[] {
  return openTimes({ weekdays }, { timezone: zone }, toMicroseconds(from), toMicroseconds(until)).map(
    time => `${fromMicroseconds(time.from).slice(0, 16)} ${fromMicroseconds(time.until).slice(0, 16)}`,
  )
}

test('an hour that the clocks skip never comes', () => {
  // Madrid, 29 March 2026: 02:00 becomes 03:00, at 01:00 UTC.
  const night = ['2026-03-28T12:00:00Z', '2026-03-29T21:00:00Z'] as const
  expect(told(sunday([1.5, 2.5]), 'Europe/Madrid', ...night)).toEqual(['2026-03-29T00:30 2026-03-29T01:00'])
  expect(told(sunday([2, 3]), 'Europe/Madrid', ...night)).toEqual([])
  expect(told(sunday([1, 4]), 'Europe/Madrid', ...night)).toEqual(['2026-03-29T00:00 2026-03-29T02:00'])
})

test('an hour that the clocks repeat comes twice', () => {
  // Madrid, 25 October 2026: 03:00 becomes 02:00, at 01:00 UTC.
  const night = ['2026-10-24T12:00:00Z', '2026-10-25T21:00:00Z'] as const
  expect(told(sunday([2.5, 3.5]), 'Europe/Madrid', ...night)).toEqual([
    '2026-10-25T00:30 2026-10-25T01:00',
    '2026-10-25T01:30 2026-10-25T02:30',
  ])
})

test('always is one time, never is none, and the span cuts', () => {
  const always = Array.from({ length: 7 }, () => ({ ranges: [{ start: 0, end: 24 * hour }] }))
  const span = ['2026-03-01T00:00:00Z', '2026-03-31T00:00:00Z'] as const
  expect(told(always, 'Europe/Madrid', ...span)).toEqual(['2026-03-01T00:00 2026-03-31T00:00'])
  expect(told(sunday(), 'Europe/Madrid', ...span)).toEqual([])
  expect(told(always, 'Nowhere/Land', ...span)).toEqual([])
})

const zones = ['Europe/Madrid', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Tokyo'] as const
const day = fc
  .uniqueArray(fc.integer({ min: 0, max: 96 }), { maxLength: 4 })
  .map(bounds => bounds.sort((a, b) => a - b))
  .map(bounds => ({
    ranges: bounds.flatMap((start, index) =>
      index % 2 === 0 && bounds[index + 1] !== undefined
        ? [{ start: start * 900, end: (bounds[index + 1] as number) * 900 }]
        : [],
    ),
  }))

test('every quarter of an hour of a year is as the wall clock says', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.array(day, { minLength: 7, maxLength: 7 }),
      fc.integer({ min: 0, max: 50 }),
      (zone, weekdays, week) => {
        const from = Date.UTC(2026, 0, 1) + week * 7 * 86_400_000
        const until = from + 14 * 86_400_000
        const times = openTimes({ weekdays }, { timezone: zone }, from * 1000, until * 1000)
        const wrong: string[] = []
        for (let at = from; at < until; at += 900_000) {
          const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)
          const second = local.hour * hour + local.minute * 60
          const ranges = weekdays[local.dayOfWeek - 1]?.ranges ?? []
          const should = ranges.some(({ start, end }) => second >= start && second < end)
          if (should !== times.some(time => at * 1000 >= time.from && at * 1000 < time.until))
            wrong.push(local.toString())
        }
        expect(wrong).toEqual([])
      },
    ),
    { numRuns: 30 },
  )
})
